package org.rankunit.collective.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Halves;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Reduce-scatter by recursive halving, in a copy of the input: in log2 n steps, each rank and a partner reduce one half each of what they
 * have left. If n is no power of two, ranks that are too many give their input to a neighbour first, and read their part of the result
 * from it.
 *
 * <p>In each step, a rank's own elements are the first operand, and those of its partner the second. Both are results of the step before,
 * so the result is a balanced tree over the ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HalvingReduceScatter implements CollectiveAlgorithm {

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
        Block block = Block.of(call.ranks());
        return block.resources(rank, Opposite.in(block)).withScratch(block.isFolded(rank) ? 0 : call.inputBytes(rank));
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int n = call.ranks();
        if (Integer.bitCount(n) > 1 || !call.counts().isEmpty() || call.count() == 0) {
            return Optional.empty();
        }
        return Optional.of(new Cost(
                Integer.numberOfTrailingZeros(n), (n - 1) * call.partOf(0).bytes()));
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.xor(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int rank = self.rank();
        Block block = Block.of(call.ranks());
        TaskStream main = self.main();
        if (block.isFolded(rank)) {
            Link neighbour = self.link(rank - 1);
            Region sums = self.buffer(BufferKind.SCRATCH, neighbour.peer());
            Pairs.offer(main, neighbour);
            Pairs.fetch(main, neighbour, sums.part(call.partOf(rank)), self.output());
            return;
        }
        Region sums = self.buffer(BufferKind.SCRATCH);
        main.copy(self.input(), sums);
        if (block.standsForAnother(rank)) {
            Region theirs = self.buffer(BufferKind.INPUT, rank + 1);
            Pairs.fetchReduced(main, self.link(rank + 1), theirs, sums);
        }
        new Halves(self, block, Opposite.in(block), BufferKind.SCRATCH, place -> block.slice(place, call::partOf))
                .reduceScatter();
        main.copy(sums.part(call.partOf(rank)), self.output());
        if (block.standsForAnother(rank)) {
            Pairs.offer(main, self.link(rank + 1));
        }
    }
}
