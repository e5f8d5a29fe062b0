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
 * All-reduce on a ring: n - 1 steps in which each part of the data goes round and is reduced into each rank's own, and n - 1 steps
 * in which the results go round.
 *
 * <p>With x(r) the element of rank r, part c is {@code x(c - 1) op (... op (x(c + 2) op (x(c + 1) op x(c))))}, ranks modulo n: the
 * same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingAllReduce implements CollectiveAlgorithm {

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
        return Ring.resources(call, rank);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int n = call.ranks();
        // With fewer elements than ranks, some of the parts are empty.
        if (n == 1 || call.count() == 0 || call.count() % n != 0) {
            return Optional.empty();
        }
        return Optional.of(new Cost(2 * (n - 1), 2L * (n - 1) * (call.count() / n) * call.elementBytes()));
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
        main.copy(self.input(), self.output());
        if (n == 1) {
            return;
        }
        Link left = self.link(Math.floorMod(rank - 1, n));
        Link right = self.link((rank + 1) % n);
        Region theirs = self.buffer(BufferKind.OUTPUT, right.peer());
        for (int step = 0; step < n - 1; step++) {
            Slice part = call.part(Math.floorMod(rank - step, n), n);
            main.txAck(left);
            main.rxAck(right);
            main.putReduce(right, self.output().part(part), theirs.part(part));
            main.txDataSignal(right);
            main.rxDataSignal(left);
            main.txDataAck(left);
            main.rxDataAck(right);
        }
        for (int step = 0; step < n - 1; step++) {
            Slice part = call.part(Math.floorMod(rank + 1 - step, n), n);
            main.txAck(left);
            main.rxAck(right);
            main.put(right, self.output().part(part), theirs.part(part));
            main.txDataSignal(right);
            main.rxDataSignal(left);
            main.txDataAck(left);
            main.rxDataAck(right);
        }
    }
}
