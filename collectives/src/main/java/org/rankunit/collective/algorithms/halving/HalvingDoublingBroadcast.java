package org.rankunit.collective.algorithms.halving;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Cost;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Block;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Broadcast along the partners of recursive halving: in log2 n steps, each rank that has the data gives all of it to its partner. If n is
 * no power of two, ranks that are too many read it from their neighbour at the end; if the root is one of them, its neighbour reads first.
 *
 * <p>Source of the steps and their cost: the broadcast of HCCL's recursive halving and doubling.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class HalvingDoublingBroadcast implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.BROADCAST;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Block block = Block.of(call.ranks());
        if (block.isFolded(rank)) {
            return Resources.onMainStream(List.of(rank - 1));
        }
        List<Integer> links = new ArrayList<>();
        inBlock(call, block, rank, links::add, links::add);
        if (block.standsForAnother(rank)) {
            links.add(rank + 1);
        }
        return Resources.onMainStream(links);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int n = call.ranks();
        if (Integer.bitCount(n) > 1 || call.count() == 0) {
            return Optional.empty();
        }
        int steps = Integer.numberOfTrailingZeros(n);
        return Optional.of(new Cost(steps, steps * call.outputBytes(0)));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int rank = self.rank();
        Block block = Block.of(call.ranks());
        boolean isRoot = rank == call.root();
        if (isRoot) {
            self.main().copy(self.input(), self.output());
        }
        if (block.isFolded(rank)) {
            if (isRoot) {
                offer(self, rank - 1);
            } else {
                fetch(self, rank - 1);
            }
            return;
        }
        boolean rootIsFolded = block.isFolded(call.root()) && call.root() == rank + 1;
        if (rootIsFolded) {
            fetch(self, rank + 1);
        }
        inBlock(call, block, rank, peer -> fetch(self, peer), peer -> offer(self, peer));
        if (block.standsForAnother(rank) && !rootIsFolded) {
            offer(self, rank + 1);
        }
    }

    /** What a rank of the block does: it fetches from one partner, unless it is where the data begins, and then offers it to others. */
    private static void inBlock(
            CollectiveCall call, Block block, int rank, IntConsumer fetchFrom, IntConsumer offerTo) {
        Opposite partners = Opposite.in(block);
        int place = block.place(rank);
        int way = place ^ block.place(call.root());
        for (int step = 0; 1 << step < block.size(); step++) {
            int partner = partners.of(place, step);
            int distance = place ^ partner;
            if (Integer.lowestOneBit(way) == distance) {
                fetchFrom.accept(block.rank(partner));
            } else if (way % (2 * distance) == 0) {
                offerTo.accept(block.rank(partner));
            }
        }
    }

    private static void offer(Orchestration self, int peer) {
        Pairs.offer(self.main(), self.link(peer));
    }

    private static void fetch(Orchestration self, int peer) {
        Link link = self.link(peer);
        TaskStream main = self.main();
        Pairs.fetch(main, link, self.buffer(BufferKind.OUTPUT, peer), self.output());
    }
}
