package org.rankunit.collective.algorithms.swing;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Halves;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce by halving and doubling with partners that are near on a ring: in steps 0, 1, 2 and so on, at distances of 1, -1, 3, -5, 11
 * and so on. In log2 n steps, each rank and a partner reduce one half each of what they have left; in as many steps back, they read from each
 * other what the other one has. If n is no power of two, ranks that are too many give their input to a neighbour first, and read the result
 * from it.
 *
 * <p>In each step, a rank's own elements are the first operand, and those of its partner the second. Both are results of the step before,
 * so the result is a balanced tree over the ranks: the same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class SwingAllReduce implements CollectiveAlgorithm {

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
        return block.resources(rank, Swing.in(block));
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        return Halves.costOfAllReduce(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        Block block = Block.of(self.call().ranks());
        Halves.allReduce(self, block, Swing.in(block));
    }
}
