package org.rankunit.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.OwnerRecord;

/**
 * Describe one request that waits for devices, in whatever process.
 *
 * <p>Immutable, and out of date as soon as it is made.
 *
 * @param who who asks, and since when
 * @param count number of devices
 * @param devices ids of those that would do
 * @param promised when it will have them at the latest, if all leases end when their holders said; empty for a request that is
 *     not at the head of the queue, or in whose way is a lease that does not say
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitingRequest(OwnerRecord who, int count, List<Integer> devices, Optional<Instant> promised) {

    public WaitingRequest {
        devices = List.copyOf(devices);
    }
}
