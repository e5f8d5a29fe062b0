/** Runs on a small Slurm cluster, beside the same on this machine. */
@NullMarked
package org.rankunit.benchmarks.slurm;

import org.jspecify.annotations.NullMarked;
