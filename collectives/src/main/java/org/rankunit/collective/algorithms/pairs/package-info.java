/** Messages between pairs of ranks. */
@NullMarked
package org.rankunit.collective.algorithms.pairs;

import org.jspecify.annotations.NullMarked;
