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
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * Reduce along a chain that ends at the root: in n parts, each rank reduces what the one after it has into a copy of its input, and the one
 * before it reads a part while the next part comes.
 *
 * <p>With x(r) the element of rank r, the result is {@code x(root) op (x(root + 1) op (... op x(root - 1)))}, ranks modulo n.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingReduce implements CollectiveAlgorithm {

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
        int place = Math.floorMod(rank - call.root(), call.ranks());
        boolean between = place > 0 && place < call.ranks() - 1;
        return Ring.resourcesOfChain(call, rank).withScratch(between ? call.inputBytes(rank) : 0);
    }

    @Override
    public Optional<Cost> cost(CollectiveCall call) {
        int n = call.ranks();
        return n > 1 && call.count() >= n ? Optional.of(new Cost(2 * (n - 1), call.inputBytes(0))) : Optional.empty();
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int rank = self.rank();
        int place = Math.floorMod(rank - call.root(), n);
        TaskStream main = self.main();
        Region sum = self.buffer(place == 0 ? BufferKind.OUTPUT : BufferKind.SCRATCH);
        if (place == 0 || place < n - 1) {
            main.copy(self.input(), sum);
        }
        for (int number = 0; number < n; number++) {
            if (place < n - 1) {
                Slice part = call.part(number, n);
                Link after = self.link((rank + 1) % n);
                Region theirs = self.buffer(place == n - 2 ? BufferKind.INPUT : BufferKind.SCRATCH, after.peer());
                Pairs.fetchReduced(main, after, theirs.part(part), sum.part(part));
            }
            if (place > 0) {
                Link before = self.link(Math.floorMod(rank - 1, n));
                if (number > 0) {
                    main.rxDataSignal(before);
                }
                main.txAck(before);
            }
        }
        if (place > 0) {
            main.rxDataSignal(self.link(Math.floorMod(rank - 1, n)));
        }
    }
}
