/** Kernels from source, and their cache. */
@NullMarked
package org.rankunit.benchmarks.kernels;

import org.jspecify.annotations.NullMarked;
