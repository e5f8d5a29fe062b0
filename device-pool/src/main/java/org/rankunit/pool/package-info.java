/**
 * Machine-wide leases of devices, shared by every process that opens the same folder.
 *
 * <p>Start at {@link org.rankunit.pool.DevicePool}. The subpackages depend on each other in one direction: this package
 * uses {@code queue}, which uses {@code health}, which uses {@code lock}; all may use {@code inventory}.
 */
@NullMarked
package org.rankunit.pool;

import org.jspecify.annotations.NullMarked;
