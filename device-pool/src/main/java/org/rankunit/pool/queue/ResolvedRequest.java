package org.rankunit.pool.queue;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.inventory.DeviceChoice;

/**
 * A request in the form the queue uses: checked, with the usable devices and the pool's probe settings.
 *
 * @param test who makes the request, shown to people in other processes' messages
 * @param expected how long the lease will take at most; empty if unknown
 * @param choice the devices that the request may use
 * @param probe how to check whether a device works
 * @param quarantine how long a device that failed a probe is not leased
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public record ResolvedRequest(
        String platform,
        int count,
        String test,
        Optional<Duration> expected,
        DeviceChoice choice,
        Optional<DeviceProbe> probe,
        Duration quarantine) {

    long expectedMillis() {
        return expected.map(Duration::toMillis).orElse(Backfill.UNKNOWN);
    }
}
