package org.rankunit.pool.health;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Record whether a device is believed to work.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface DeviceHealth {

    /** The device is leased normally. */
    record Sound() implements DeviceHealth {}

    /**
     * The device may be faulty: its last lease ended badly. If the pool has a probe, it is probed before it is leased
     * again.
     *
     * @param reason what happened, in the holder's words
     * @param since when the holder reported it
     */
    record Suspect(String reason, Instant since) implements DeviceHealth {}

    /**
     * The device is not leased, because a probe of it failed. After {@code until} it is suspect again; a person can
     * clear it earlier.
     *
     * @param reason what the probe found
     * @param since when the probe failed
     * @param until when the device may be probed again
     */
    record Quarantined(String reason, Instant since, Instant until) implements DeviceHealth {}
}
