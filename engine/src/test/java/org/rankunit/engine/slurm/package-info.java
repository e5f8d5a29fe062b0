/** Tests that run on Slurm, and the clusters that they start. */
@NullMarked
package org.rankunit.engine.slurm;

import org.jspecify.annotations.NullMarked;
