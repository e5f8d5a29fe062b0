package org.rankunit.pool;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceHealth;
import org.rankunit.pool.lock.OwnerRecord;

/**
 * Describe one device at the moment of the query.
 *
 * <p>Immutable. It may be out of date immediately; only a lease guarantees a device.
 *
 * @param device id on its platform
 * @param state whether it was held
 * @param owner who held it; empty if it was free or its holder left no valid record (a record is invalid if its process
 *     is gone or the process id now belongs to another process)
 * @param health the device's recorded health
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record DeviceStatus(int device, DeviceState state, Optional<OwnerRecord> owner, DeviceHealth health) {}
