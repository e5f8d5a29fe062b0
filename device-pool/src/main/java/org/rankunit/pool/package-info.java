/**
 * Machine-wide leases of devices, shared by every process that opens the same folder.
 *
 * <p>Start at {@link org.rankunit.pool.DevicePool}. Rooms below use each other in one direction: this one uses {@code queue},
 * which uses {@code health}, which uses {@code lock}; all may use {@code inventory}.
 */
@NullMarked
package org.rankunit.pool;

import org.jspecify.annotations.NullMarked;
