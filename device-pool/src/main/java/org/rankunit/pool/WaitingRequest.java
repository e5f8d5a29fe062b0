package org.rankunit.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.lock.OwnerRecord;

/**
 * Describe one request, of any process, that waits for devices.
 *
 * <p>Immutable. It may be out of date immediately.
 *
 * @param who who made the request, and when
 * @param count number of devices
 * @param devices ids of the devices that could be used
 * @param promised the latest time at which it gets the devices if all leases end when their holders said; empty if the
 *     request is not at the head of the queue, or if a lease in its way has no stated end
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record WaitingRequest(OwnerRecord who, int count, List<Integer> devices, Optional<Instant> promised) {

    public WaitingRequest {
        devices = List.copyOf(devices);
    }
}
