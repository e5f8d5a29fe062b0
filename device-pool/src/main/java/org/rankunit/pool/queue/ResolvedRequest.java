package org.rankunit.pool.queue;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.pool.health.DeviceProbe;
import org.rankunit.pool.inventory.DeviceChoice;

/**
 * A request as the queue knows it: checked, with the devices that would do, and with what the pool knows of probes.
 *
 * @param test who asks, as people will read it in other processes' messages
 * @param expected how long the lease will take at the most; empty if nobody can say
 * @param choice the devices that would do
 * @param probe how to find out whether a device is sound
 * @param quarantine how long a device that is not is left alone
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
