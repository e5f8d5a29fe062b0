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
 * All-gather by recursive doubling: in log2 n steps, each rank reads all that a partner has, who is at distance 1, 2, 4 and so on. If n is
 * no power of two, ranks that are too many give their slice to a neighbour first, and read all slices from it at the end.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class DoublingAllGather implements CollectiveAlgorithm {

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
        Block block = Block.of(call.ranks());
        return block.resources(rank, Opposite.in(block));
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
            Pairs.offer(main, neighbour);
            Pairs.fetch(main, neighbour, self.buffer(BufferKind.OUTPUT, neighbour.peer()), self.output());
            return;
        }
        main.copy(self.input(), self.output().part(call.partOf(rank)));
        if (block.standsForAnother(rank)) {
            Region slot = self.output().part(call.partOf(rank + 1));
            Pairs.fetch(main, self.link(rank + 1), self.buffer(BufferKind.INPUT, rank + 1), slot);
        }
        new Halves(self, block, Opposite.in(block), BufferKind.OUTPUT, place -> block.slice(place, call::partOf))
                .gather();
        if (block.standsForAnother(rank)) {
            Pairs.offer(main, self.link(rank + 1));
        }
    }
}
