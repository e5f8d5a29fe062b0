/**
 * Proves symmetric schedules by one rank: the tasks of ranks are compared, and then those of rank 0 are run on symbols, where all
 * other ranks do the same at the same time with other ranks and other parts of the data.
 */
@NullMarked
package org.rankunit.collective.verify.symmetry;

import org.jspecify.annotations.NullMarked;
