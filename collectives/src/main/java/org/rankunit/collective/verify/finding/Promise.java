package org.rankunit.collective.verify.finding;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * What a schedule can be verified for.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Promise {
    /** Every run ends, has the right result, and does not disturb the next call. */
    SAFETY,
    /**
     * Each exchange over a link begins with Ack and ends with DataSignal, between servers with DataAck, as HCCL's own algorithms do. A
     * schedule can be safe without it, if other notifies order the accesses.
     */
    PROTOCOL,
    /** Resources, symmetry and cost are as the algorithm declares them. */
    DECLARATION
}
