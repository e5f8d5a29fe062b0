/** Runs ranks on the nodes of a job of Slurm. */
@NullMarked
package org.rankunit.engine.slurm;

import org.jspecify.annotations.NullMarked;
