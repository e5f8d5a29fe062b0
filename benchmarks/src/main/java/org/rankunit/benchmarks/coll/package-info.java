/**
 * Collectives on the windows of simulators, beside MPI and beside plain loops over shared memory.
 *
 * <p>Uses {@code measure} alone of the benchmarks.
 */
@NullMarked
package org.rankunit.benchmarks.coll;

import org.jspecify.annotations.NullMarked;
