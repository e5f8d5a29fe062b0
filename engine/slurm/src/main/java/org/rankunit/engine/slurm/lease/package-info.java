/** Which devices of an allocation a group of ranks gets. */
@NullMarked
package org.rankunit.engine.slurm.lease;

import org.jspecify.annotations.NullMarked;
