/** The result of one test: how it ended on each rank, which cause leads, and the throwable that says so. */
@NullMarked
package org.rankunit.engine.merge.outcome;

import org.jspecify.annotations.NullMarked;
