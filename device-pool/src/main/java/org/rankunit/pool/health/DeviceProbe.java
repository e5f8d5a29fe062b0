package org.rankunit.pool.health;

import java.time.Duration;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Find out whether a device works.
 *
 * <p>A pool asks this of a device whose last lease ended badly, before it lends it again. Implementations must be
 * thread-safe, since several devices are probed at the same time; {@link ProbeCommand} does it in a process of its own.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public interface DeviceProbe {

    /**
     * Try a device. Nobody else uses it meanwhile.
     *
     * @return what is wrong with it, on one line; empty if it works
     * @throws InterruptedException if the thread is interrupted; the device is as suspect as before then
     */
    Optional<String> probe(String platform, int device) throws InterruptedException;

    /** How long {@link #probe} takes at the longest. */
    Duration limit();
}
