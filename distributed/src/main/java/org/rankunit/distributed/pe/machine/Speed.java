package org.rankunit.distributed.pe.machine;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What an access or a transfer costs: latency, and bytes divided by the bandwidth.
 *
 * @param latency in nanoseconds
 * @param bandwidth in bytes per nanosecond, which are GB/s
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record Speed(double latency, double bandwidth) {

    public Speed {
        if (!(latency >= 0) || !(bandwidth > 0)) {
            throw new IllegalArgumentException(
                    "a latency is at least 0 ns, a bandwidth above 0 bytes/ns: " + latency + ", " + bandwidth);
        }
    }

    /** Nanoseconds for so many bytes. */
    public double time(long bytes) {
        return latency + (bytes / bandwidth);
    }

    /** One after the other, at the lower bandwidth of both. */
    Speed then(Speed next, int times) {
        return times == 0 ? this : new Speed(latency + (times * next.latency), Math.min(bandwidth, next.bandwidth));
    }
}
