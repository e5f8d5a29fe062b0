package org.rankunit.collective.algorithms.composed;

import java.util.List;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/** How a collective is composed of calls inside the units of each level. */
interface Composition {

    /**
     * Compute the stages of a rank.
     *
     * @param levels the algorithms of each level, that inside a server first
     */
    Stages stages(CollectiveCall call, Grid grid, Levels levels, int rank);

    /** Which collectives the levels need. */
    List<Collective> needed(int level, int last);

    /** The algorithm of each level for a collective. */
    @FunctionalInterface
    interface Levels {
        CollectiveAlgorithm algorithm(int level, Collective collective);
    }

    /** Make the call of one level, with as many elements on each rank. */
    static CollectiveCall inner(CollectiveCall whole, Collective collective, int ranks, int level, long count) {
        CollectiveCall call = CollectiveCall.of(collective, ranks, whole.type(), count)
                .withRanksPerServer(level == 0 ? ranks : 1)
                .withMemory(whole.memory(), whole.cclBytes());
        return collective.reduces() ? call.withReduction(whole.reduction()) : call;
    }

    /** Make the call of one level whose parts are these. */
    static CollectiveCall inner(CollectiveCall whole, Collective collective, int level, List<Slice> parts) {
        List<Long> counts =
                parts.stream().map(part -> part.bytes() / whole.elementBytes()).toList();
        CollectiveCall call = inner(whole, collective, parts.size(), level, counts.get(0));
        return counts.stream().distinct().count() == 1 ? call : call.withCounts(counts);
    }
}
