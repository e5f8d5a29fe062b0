package org.rankunit.collective.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Halves;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Reduce by recursive halving, in a copy of the input, and a gather back to the root along the same partners. If n is no power of two,
 * ranks that are too many give their input to a neighbour first; if the root is one of them, it reads the result from its neighbour.
 *
 * <p>The order of reduction is that of {@link HalvingReduceScatter}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HalvingDoublingReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.REDUCE;
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
        return Halves.costOfAllReduce(call)
                .map(both ->
                        new Cost(both.steps(), (n - 1 + n / 2) * call.part(0, n).bytes()));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int rank = self.rank();
        Block block = Block.of(call.ranks());
        TaskStream main = self.main();
        if (block.isFolded(rank)) {
            Pairs.offer(main, self.link(rank - 1));
            if (rank == call.root()) {
                Pairs.fetch(main, self.link(rank - 1), self.buffer(BufferKind.SCRATCH, rank - 1), self.output());
            }
            return;
        }
        Region sums = self.buffer(BufferKind.SCRATCH);
        main.copy(self.input(), sums);
        if (block.standsForAnother(rank)) {
            Pairs.fetchReduced(main, self.link(rank + 1), self.buffer(BufferKind.INPUT, rank + 1), sums);
        }
        Halves halves =
                new Halves(self, block, Opposite.in(block), BufferKind.SCRATCH, part -> call.part(part, block.size()));
        halves.reduceScatter();
        halves.gatherTo(block.place(call.root()));
        if (rank == call.root()) {
            main.copy(sums, self.output());
        } else if (rank + 1 == call.root() && block.isFolded(call.root())) {
            Pairs.offer(main, self.link(rank + 1));
        }
    }
}
