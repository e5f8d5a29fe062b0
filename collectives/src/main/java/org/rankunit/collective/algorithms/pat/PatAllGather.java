package org.rankunit.collective.algorithms.pat;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-gather by parallel aggregated trees, for any number of ranks: each slice goes down a binomial tree, the longest way first, and slices
 * that go the same way are exchanged together, up to a number that is given. While there are no more, this takes log2 n exchanges, rounded
 * up; with at most a slices of n ranks, both powers of two, log2 a + n / a - 1.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PatAllGather implements CollectiveAlgorithm {

    private final int most;

    /** Exchange at most four slices at a time. */
    public PatAllGather() {
        this(4);
    }

    /** @param most slices that are exchanged at a time, 1 or more */
    public PatAllGather(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most = " + most + ": at least one slice is exchanged at a time");
        }
        this.most = most;
    }

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Distances.resources(call, rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int others = call.ranks() - 1;
        return call.counts().isEmpty() && call.count() > 0
                ? Optional.of(new Cost(others, others * call.partOf(0).bytes()))
                : Optional.empty();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        self.main().copy(self.input(), self.output().part(call.partOf(self.rank())));
        new Trees(self, most, BufferKind.OUTPUT, call::partOf).gather();
    }
}
