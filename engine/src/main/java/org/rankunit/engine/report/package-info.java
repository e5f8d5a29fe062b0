/** Writes what happened to files. */
@NullMarked
package org.rankunit.engine.report;

import org.jspecify.annotations.NullMarked;
