/** Messages between pairs of ranks. */
@NullMarked
package org.rankunit.coll.algorithms.pairs;

import org.jspecify.annotations.NullMarked;
