package org.rankunit.collective.exchange;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.collective.simulate.Topology;

/**
 * What work inside a rank costs. A format that knows nothing of memory needs it as time.
 *
 * @param copied nanoseconds for each byte that is copied or reduced inside a rank
 * @param reduced nanoseconds for each byte that is reduced, in addition to its copy or its transfer
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record LocalCost(double copied, double reduced) {

    /** Nothing inside a rank takes time. */
    public static final LocalCost FREE = new LocalCost(0, 0);

    private static final double NANOS = 1e9;

    public LocalCost {
        if (!(copied >= 0) || !(reduced >= 0)) {
            throw new IllegalArgumentException("a byte costs at least 0 ns: " + copied + ", " + reduced);
        }
    }

    /** Get what a simulation on this machine would charge. */
    public static LocalCost of(Topology topology) {
        return new LocalCost(NANOS / topology.copyBandwidth(), NANOS * topology.reduction());
    }

    /** Nanoseconds of a task, rounded to the nearest one. */
    long nanos(long bytes, boolean copies, boolean reduces) {
        return Math.round(bytes * ((copies ? copied : 0) + (reduces ? reduced : 0)));
    }
}
