/** Comparisons of outputs with goldens. */
@NullMarked
package org.rankunit.benchmarks.golden;

import org.jspecify.annotations.NullMarked;
