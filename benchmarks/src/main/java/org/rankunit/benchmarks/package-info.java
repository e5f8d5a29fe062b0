/** Measures what RankUnit costs, beside peers in the same run. */
@NullMarked
package org.rankunit.benchmarks;

import org.jspecify.annotations.NullMarked;
