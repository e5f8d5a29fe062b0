package org.rankunit.collective.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Halves;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce by recursive halving and doubling: in log2 n steps, each rank and a partner reduce one half each of what they have left;
 * in log2 n steps back, they read from each other what the other one has. Also known as
 * Rabenseifner's algorithm. If n is no power of two, ranks that are too many give their input to a neighbour first, and read the result
 * from it.
 *
 * <p>In each step, a rank's own elements are the first operand, and those of its partner the second. Both are results of the step before, so the result is a balanced tree over the ranks: the same bits in
 * every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HalvingDoublingAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Block block = Block.of(call.ranks());
        return block.resources(rank, Opposite.in(block));
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        return Halves.costOfAllReduce(call);
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.xor(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        Block block = Block.of(self.call().ranks());
        Halves.allReduce(self, block, Opposite.in(block));
    }
}
