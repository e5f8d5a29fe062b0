/** Task graphs, beside other ways to run tasks, and a whole test with one. */
@NullMarked
package org.rankunit.benchmarks.runtime;

import org.jspecify.annotations.NullMarked;
