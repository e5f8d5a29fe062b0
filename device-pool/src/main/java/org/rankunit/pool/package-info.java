/**
 * Machine-wide inventory and leases of devices, shared by every process that opens the same folder.
 *
 * <p>Start at {@link org.rankunit.pool.DevicePool}.
 */
@NullMarked
package org.rankunit.pool;

import org.jspecify.annotations.NullMarked;
