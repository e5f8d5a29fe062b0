package org.rankunit.collective.algorithms.ring;

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
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * All-gather on a ring: each rank reads from the one before it what that one has got last, n - 1 times.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingAllGather implements CollectiveAlgorithm {

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
        return Ring.resources(call, rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int others = call.ranks() - 1;
        return call.counts().isEmpty() && call.count() > 0
                ? Optional.of(new Cost(others, others * call.partOf(0).bytes()))
                : Optional.empty();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        TaskStream main = self.main();
        main.copy(self.input(), self.output().part(call.partOf(self.rank())));
        if (n == 1) {
            return;
        }
        Link left = self.link(Math.floorMod(self.rank() - 1, n));
        Link right = self.link((self.rank() + 1) % n);
        Region theirs = self.buffer(BufferKind.OUTPUT, left.peer());
        for (int step = 1; step < n; step++) {
            Slice slice = call.partOf(Math.floorMod(self.rank() - step, n));
            main.txAck(right);
            main.rxAck(left);
            main.get(left, theirs.part(slice), self.output().part(slice));
            main.txDataSignal(left);
            main.rxDataSignal(right);
        }
    }
}
