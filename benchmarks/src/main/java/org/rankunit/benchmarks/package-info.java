/** Measures what RankUnit costs, beside peers in the same run. One package for each suite; {@code measure} is for all. */
@NullMarked
package org.rankunit.benchmarks;

import org.jspecify.annotations.NullMarked;
