package org.rankunit.collective.simulate;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The links of one kind. A transfer of b bytes ends {@code latency + b / bandwidth} after it has begun, and occupies a port of the
 * sender and one of the receiver for {@code b / bandwidth}.
 *
 * @param latency in seconds: "alpha"
 * @param bandwidth of one port in bytes per second: the inverse of "beta"
 * @param ports of each rank; transfers beyond that number wait, first come, first served
 * @param duplex whether a port sends and receives at the same time
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record LinkModel(double latency, double bandwidth, int ports, boolean duplex) {

    public LinkModel {
        if (!(latency >= 0) || !(bandwidth > 0) || ports < 1) {
            throw new IllegalArgumentException(
                    "a link has a latency of at least 0 s, a bandwidth above 0 bytes/s and at" + " least one port: "
                            + latency + " s, " + bandwidth + " bytes/s, " + ports + " ports");
        }
    }
}
