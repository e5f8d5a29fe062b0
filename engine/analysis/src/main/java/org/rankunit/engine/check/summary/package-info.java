/** Runs of graphs in the record of a test that can be checked as a whole, however many tasks they have. */
@NullMarked
package org.rankunit.engine.check.summary;

import org.jspecify.annotations.NullMarked;
