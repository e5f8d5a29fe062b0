package org.rankunit.collective.bench;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Bandwidths as nccl-tests defines them. The algorithm bandwidth is the size divided by the time. The bus bandwidth is what an
 * optimal algorithm moves over the busiest link in that time, so that it can be compared with the hardware for any number of ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BusBandwidth {

    private static final double GIGA = 1e9;
    private static final double MICRO = 1e-6;

    private BusBandwidth() {}

    /** Get the size of a call: the bytes of the larger one of input and output, on the rank that has most. */
    public static long size(CollectiveCall call) {
        long size = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            size = Math.max(size, Math.max(call.inputBytes(rank), call.outputBytes(rank)));
        }
        return size;
    }

    /** Compute the algorithm bandwidth in GB/s. */
    public static double algorithm(CollectiveCall call, double micros) {
        return micros > 0 ? size(call) / GIGA / (micros * MICRO) : 0;
    }

    /** Compute the bus bandwidth in GB/s. */
    public static double bus(CollectiveCall call, double micros) {
        return algorithm(call, micros) * factor(call.collective(), call.ranks());
    }

    /** Get what the algorithm bandwidth is multiplied by; 0 for a barrier, which has no data. */
    public static double factor(Collective collective, int ranks) {
        double others = (ranks - 1.0) / ranks;
        return switch (collective) {
            case ALL_REDUCE -> 2 * others;
            case ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, GATHER, SCATTER -> others;
            case BROADCAST, REDUCE, SEND_RECV -> 1;
            case BARRIER -> 0;
        };
    }
}
