/** What one test and one group of ranks cost, beside ranks of Gloo. */
@NullMarked
package org.rankunit.benchmarks.overhead;

import org.jspecify.annotations.NullMarked;
