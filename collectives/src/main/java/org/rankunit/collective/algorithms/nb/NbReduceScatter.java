package org.rankunit.collective.algorithms.nb;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Reduce-scatter in log2 n steps, rounded up, for any number of ranks, in a copy of the input. It is {@link NbAllGather} backwards: at
 * distances d from the largest power of two below n down to 1, rank r reads from rank r + d the parts r, r - 1, ..., r - d + 1, and reduces
 * them into its own; at the largest distance, only n - d of them.
 *
 * <p>In each step, a rank's own elements are the first operand, and those that it reads the second. The result is a tree over the ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class NbReduceScatter implements CollectiveAlgorithm {

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
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        self.main().copy(self.input(), self.buffer(BufferKind.SCRATCH));
        new Doubling(self, BufferKind.SCRATCH, call::partOf).reduceScatter();
        self.main().copy(self.buffer(BufferKind.SCRATCH).part(call.partOf(self.rank())), self.output());
    }
}
