package org.rankunit.coll.algorithms.ring;

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
import org.rankunit.coll.algorithms.links.Shifted;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.Slice;

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
