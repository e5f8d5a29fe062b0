/** The machine-readable report of a run; formats and files are in the subpackages. */
@NullMarked
package org.rankunit.engine.report;

import org.jspecify.annotations.NullMarked;
