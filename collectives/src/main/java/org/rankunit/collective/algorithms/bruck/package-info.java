/** Blocks travel by the bits of their distance: one step for each bit. */
@NullMarked
package org.rankunit.collective.algorithms.bruck;

import org.jspecify.annotations.NullMarked;
