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
 * Reduce-scatter by parallel aggregated trees, for any number of ranks, in a copy of the input. It is {@link PatAllGather} backwards: each
 * part goes up a binomial tree, the shortest way first, and parts that go the same way are exchanged together, up to a number that is given.
 *
 * <p>In each exchange, a rank's own elements are the first operand, and those that it reads from a later rank the second. So with x(r) the
 * element of rank r, the operands of part c are a tree over x(c), x(c + 1), ..., x(c - 1), ranks modulo n, in this order.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PatReduceScatter implements CollectiveAlgorithm {

    private final int most;

    /** Exchange at most four slices at a time. */
    public PatReduceScatter() {
        this(4);
    }

    /** @param most slices that are exchanged at a time, 1 or more */
    public PatReduceScatter(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most = " + most + ": at least one slice is exchanged at a time");
        }
        this.most = most;
    }

    @Override
    public Collective collective() {
        return Collective.REDUCE_SCATTER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Distances.resources(call, rank).withScratch(call.inputBytes(rank));
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
        self.main().copy(self.input(), self.buffer(BufferKind.SCRATCH));
        new Trees(self, most, BufferKind.SCRATCH, call::partOf).reduceScatter();
        self.main().copy(self.buffer(BufferKind.SCRATCH).part(call.partOf(self.rank())), self.output());
    }
}
