/** Steps, by which Slurm starts the ranks of a group: what srun says of them. */
@NullMarked
package org.rankunit.engine.slurm.step;

import org.jspecify.annotations.NullMarked;
