/** What Slurm says of a job: its nodes, its devices and its end. Reads texts and runs nothing. */
@NullMarked
package org.rankunit.engine.slurm.job;

import org.jspecify.annotations.NullMarked;
