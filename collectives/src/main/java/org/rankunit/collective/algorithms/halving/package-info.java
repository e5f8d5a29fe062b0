/** Partners at distances of powers of two exchange halves of what is left. */
@NullMarked
package org.rankunit.collective.algorithms.halving;

import org.jspecify.annotations.NullMarked;
