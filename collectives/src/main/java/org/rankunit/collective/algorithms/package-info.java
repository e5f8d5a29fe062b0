/** The algorithms that RankUnit brings, one class each, in packages by their topology. */
@NullMarked
package org.rankunit.collective.algorithms;

import org.jspecify.annotations.NullMarked;
