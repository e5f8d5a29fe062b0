package org.rankunit.coll.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Cost;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.Symmetry;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.algorithms.links.Block;
import org.rankunit.coll.algorithms.links.Halves;
import org.rankunit.coll.algorithms.links.Pairs;
import org.rankunit.coll.algorithms.links.Shifted;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

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
