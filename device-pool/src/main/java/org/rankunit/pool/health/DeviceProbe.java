package org.rankunit.pool.health;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Find out whether a device works.
 *
 * <p>A pool probes a device whose last lease ended badly before it leases the device again. Implementations must be
 * thread-safe, since several devices may be probed at the same time. {@link ProbeCommand} runs the probe in a separate
 * process.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DeviceProbe {

    /**
     * Check a device. Nothing else uses the device during the call.
     *
     * @return what is wrong with it, on one line; empty if it works
     * @throws InterruptedException if the thread is interrupted; the device then stays suspect
     */
    Optional<String> probe(String platform, int device) throws InterruptedException;

    /** The longest time that {@link #probe} takes. */
    Duration limit();
}
