package org.rankunit.collective.algorithms.ring;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import java.util.stream.IntStream;
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
 * Reduce-scatter on a ring: a part begins at the rank after its own, and goes round; each rank reduces its own elements with what the
 * one before it has, in one of two slots of scratch memory.
 *
 * <p>With x(r) the element of rank r, part c is {@code x(c) op (x(c - 1) op (... op (x(c + 2) op x(c + 1))))}, ranks modulo n.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingReduceScatter implements CollectiveAlgorithm {

    private static final int SLOTS = 2;

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
        return Ring.resources(call, rank).withScratch(scratch(call, rank));
    }

    private static long scratch(CollectiveCall call, int rank) {
        if (call.counts().isEmpty()) {
            return Math.max(0, Math.min(SLOTS, call.ranks() - 2)) * largest(call);
        }
        return IntStream.range(1, call.ranks() - 1)
                .mapToLong(step -> slot(call, step) + part(call, rank, step).bytes())
                .max()
                .orElse(0);
    }

    private static long largest(CollectiveCall call) {
        return call.counts().stream().mapToLong(each -> each).max().orElse(call.count()) * call.elementBytes();
    }

    /** Where the sum of a step lies in scratch memory. */
    private static long slot(CollectiveCall call, int step) {
        return (step - 1) % SLOTS * largest(call);
    }

    /** What a rank reduces in a step. */
    private static Slice part(CollectiveCall call, int rank, int step) {
        return call.partOf(Math.floorMod(rank - 1 - step, call.ranks()));
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
        int rank = self.rank();
        TaskStream main = self.main();
        if (n == 1) {
            main.copy(self.input(), self.output());
            return;
        }
        Link left = self.link(Math.floorMod(rank - 1, n));
        Link right = self.link((rank + 1) % n);
        for (int step = 1; step < n; step++) {
            Slice part = part(call, rank, step);
            Region sum = step < n - 1 ? slot(self, rank, step, part) : self.output();
            Region theirs = step == 1
                    ? self.buffer(BufferKind.INPUT, left.peer()).part(part)
                    : slot(self, left.peer(), step - 1, part);
            main.txAck(right);
            main.rxAck(left);
            main.copy(self.input().part(part), sum);
            main.getReduce(left, theirs, sum);
            main.txDataSignal(left);
            main.rxDataSignal(right);
        }
    }

    private static Region slot(Orchestration self, int rank, int step, Slice part) {
        return self.buffer(BufferKind.SCRATCH, rank).part(slot(self.call(), step), part.bytes());
    }
}
