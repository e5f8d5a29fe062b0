package org.rankunit.pool;

import java.time.Duration;
import java.util.Optional;

/**
 * A request together with what the pool it was put to knows.
 *
 * @param choice the devices that would do
 * @param probe how to find out whether a device is sound
 * @param quarantine how long a device that is not is left alone
 */
record Wish(LeaseRequest request, DeviceChoice choice, Optional<DeviceProbe> probe, Duration quarantine) {

    long expectedMillis() {
        return request.expected().map(Duration::toMillis).orElse(Backfill.UNKNOWN);
    }
}
