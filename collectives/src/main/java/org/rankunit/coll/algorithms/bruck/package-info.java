/** Blocks travel by the bits of their distance: one step for each bit. */
@NullMarked
package org.rankunit.coll.algorithms.bruck;

import org.jspecify.annotations.NullMarked;
