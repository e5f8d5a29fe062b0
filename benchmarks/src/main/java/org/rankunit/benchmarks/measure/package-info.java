/**
 * How a figure is measured and shown, and the processes and peers that suites start.
 *
 * <p>Uses no other package of the benchmarks.
 */
@NullMarked
package org.rankunit.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
