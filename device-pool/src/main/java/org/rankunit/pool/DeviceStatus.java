package org.rankunit.pool;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;

/**
 * Describe one device at the moment it was looked at.
 *
 * <p>Immutable, and out of date as soon as it is made: only a lease makes sure of a device.
 *
 * @param device id on its platform
 * @param state whether it was held
 * @param owner who held it; empty if nobody did, or if the holder left no record that can be believed (one of a process
 *     that is gone, or whose id now belongs to another process, is not)
 * @param health what is held against it
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeviceStatus(int device, DeviceState state, Optional<OwnerRecord> owner, DeviceHealth health) {}
