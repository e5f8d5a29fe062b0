package org.rankunit.coll.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Cost;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.algorithms.links.Pairs;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

/**
 * All-reduce by recursive halving and doubling: in log2 n steps, each rank and a partner reduce one half each of what they have left;
 * in log2 n steps back, they read from each other what the other one has. Also known as
 * Rabenseifner's algorithm. If n is no power of two, ranks that are too many give their input to a neighbour first, and read the result
 * from it.
 *
 * <p>Both operands of each reduction are results of the step before, so the result is a balanced tree over the ranks: the same bits in
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
    public Optional<String> whyNot(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Block.of(call.ranks()).resources(rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int n = call.ranks();
        if (n == 1 || Integer.bitCount(n) > 1 || call.count() == 0 || call.count() % n != 0) {
            return Optional.empty();
        }
        return Optional.of(new Cost(
                2 * Integer.numberOfTrailingZeros(n),
                2L * (n - 1) * call.part(0, n).bytes()));
    }

    @Override
    public void orchestrate(Orchestration self) {
        Block block = Block.of(self.call().ranks());
        TaskStream main = self.main();
        if (block.isFolded(self.rank())) {
            Link neighbour = self.link(self.rank() - 1);
            Pairs.offer(main, neighbour);
            Pairs.fetch(main, neighbour, self.buffer(BufferKind.OUTPUT, neighbour.peer()), self.output());
            return;
        }
        main.copy(self.input(), self.output());
        if (block.standsForAnother(self.rank())) {
            Link neighbour = self.link(self.rank() + 1);
            Pairs.fetchReduced(main, neighbour, self.buffer(BufferKind.INPUT, neighbour.peer()), self.output());
            inBlock(self, block);
            Pairs.offer(main, neighbour);
        } else {
            inBlock(self, block);
        }
    }

    private static void inBlock(Orchestration self, Block block) {
        int place = block.place(self.rank());
        int first = 0;
        int end = block.size();
        for (int distance = end / 2; distance > 0; distance /= 2) {
            int middle = (first + end) / 2;
            boolean lower = (place & distance) == 0;
            first = lower ? first : middle;
            end = lower ? middle : end;
            block.exchange(self, distance, first, end, true);
        }
        for (int distance = 1; distance < block.size(); distance *= 2) {
            boolean lower = (place & distance) == 0;
            int theirs = lower ? end : first - distance;
            block.exchange(self, distance, theirs, theirs + distance, false);
            first = Math.min(first, theirs);
            end = first + 2 * distance;
        }
    }
}
