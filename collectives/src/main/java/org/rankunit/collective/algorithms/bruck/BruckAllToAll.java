package org.rankunit.collective.algorithms.bruck;

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
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-to-all in log2 n steps, rounded up: in step k, each rank packs the blocks that have a way to go whose number has bit k, and the rank
 * 2^k after it reads them in one piece. So a block travels several times, but there are few transfers: for small blocks.
 *
 * <p>Scratch memory holds what is sent, then what is read, then the blocks that go on.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BruckAllToAll implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_TO_ALL;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return call.counts().isEmpty()
                ? Windows.needed(call)
                : Optional.of("needs the same number of elements for each pair of ranks");
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        BruckSteps way = new BruckSteps(call.ranks());
        long blocks = 2L * way.mostInOneStep() + way.waiting(call.ranks());
        return Distances.resources(call, rank).withScratch(blocks * blockBytes(call));
    }

    private static long blockBytes(CollectiveCall call) {
        return call.sent(0, 0).bytes();
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        if (call.count() == 0) {
            return Optional.empty();
        }
        BruckSteps way = new BruckSteps(call.ranks());
        int steps = 0;
        long blocks = 0;
        for (int bit = 1; bit < call.ranks(); bit *= 2) {
            steps++;
            blocks += way.inStep(bit);
        }
        return Optional.of(new Cost(steps, blocks * blockBytes(call)));
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int rank = self.rank();
        TaskStream main = self.main();
        BruckSteps way = new BruckSteps(n);
        long block = blockBytes(call);
        main.copy(self.input().part(call.sent(rank, rank)), self.output().part(call.received(rank, rank)));
        for (int bit = 1; bit < n; bit *= 2) {
            Link before = self.link(Math.floorMod(rank - bit, n));
            Link after = self.link((rank + bit) % n);
            Region theirs = self.buffer(BufferKind.SCRATCH, before.peer()).part(0, way.inStep(bit) * block);
            pack(self, way, bit);
            main.txAck(after);
            main.rxAck(before);
            main.get(before, theirs, slots(self, way.mostInOneStep(), way.inStep(bit)));
            main.txDataSignal(before);
            main.rxDataSignal(after);
            unpack(self, way, bit);
        }
    }

    private static void pack(Orchestration self, BruckSteps way, int bit) {
        CollectiveCall call = self.call();
        int slot = 0;
        for (int distance = bit; distance < call.ranks(); distance++) {
            if (way.goes(distance, bit)) {
                int target = (self.rank() + distance) % call.ranks();
                Region from = way.begins(distance, bit)
                        ? self.input().part(call.sent(self.rank(), target))
                        : waiting(self, way, distance);
                self.main().copy(from, slots(self, slot, 1));
                slot++;
            }
        }
    }

    private static void unpack(Orchestration self, BruckSteps way, int bit) {
        CollectiveCall call = self.call();
        int slot = way.mostInOneStep();
        for (int distance = bit; distance < call.ranks(); distance++) {
            if (way.goes(distance, bit)) {
                int source = Math.floorMod(self.rank() - distance, call.ranks());
                Region to = way.ends(distance, bit)
                        ? self.output().part(call.received(source, self.rank()))
                        : waiting(self, way, distance);
                self.main().copy(slots(self, slot, 1), to);
                slot++;
            }
        }
    }

    /** Where a block is between two of its steps. */
    private static Region waiting(Orchestration self, BruckSteps way, int distance) {
        return slots(self, 2 * way.mostInOneStep() + way.waiting(distance), 1);
    }

    private static Region slots(Orchestration self, int first, int count) {
        long block = blockBytes(self.call());
        return self.buffer(BufferKind.SCRATCH).part(first * block, count * block);
    }
}
