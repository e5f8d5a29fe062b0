package org.rankunit.pool.health;

import java.time.Instant;
import org.apiguardian.api.API;

/**
 * Say what is held against a device.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface DeviceHealth {

    /** Nothing is. */
    record Sound() implements DeviceHealth {}

    /**
     * It may not be sound: its last lease ended badly. It is probed before it is lent again, if the pool has a probe.
     *
     * @param reason what happened, as the holder put it
     * @param since when it was said
     */
    record Suspect(String reason, Instant since) implements DeviceHealth {}

    /**
     * It is not lent, because a probe of it failed. When the time is over it is suspect again; until then a person can clear it.
     *
     * @param reason what the probe found
     * @param since when the probe failed
     * @param until when the device may be probed again
     */
    record Quarantined(String reason, Instant since, Instant until) implements DeviceHealth {}
}
