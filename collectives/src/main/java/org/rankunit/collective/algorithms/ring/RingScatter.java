package org.rankunit.collective.algorithms.ring;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Span;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * Scatter along a chain that begins at the root: the part of the farthest rank goes first, so that the others follow while it goes on.
 * Ranks keep parts of those behind them in scratch memory.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.SCATTER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        int place = place(call, rank);
        long behind = place == 0 ? 0 : bytes(call, place + 1, call.ranks());
        return Ring.resourcesOfChain(call, rank).withScratch(behind);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int place = place(call, self.rank());
        TaskStream main = self.main();
        for (int target = n - 1; target >= Math.max(1, place); target--) {
            if (place > 0) {
                int left = rankAt(call, place - 1);
                Pairs.fetch(main, self.link(left), part(self, place - 1, target), part(self, place, target));
            }
            if (target > place) {
                Pairs.offer(main, self.link(rankAt(call, place + 1)));
            }
        }
        if (place == 0) {
            main.copy(self.input().part(call.partOf(self.rank())), self.output());
        }
    }

    /** Where the part of a place lies at another place before it, or at itself. */
    private static Region part(Orchestration self, int place, int target) {
        CollectiveCall call = self.call();
        int rank = rankAt(call, place);
        Slice part = call.partOf(rankAt(call, target));
        if (place == target) {
            return self.buffer(BufferKind.OUTPUT, rank);
        }
        return place == 0
                ? self.buffer(BufferKind.INPUT, rank).part(part)
                : self.buffer(BufferKind.SCRATCH, rank).part(bytes(call, place + 1, target), part.bytes());
    }

    /** Bytes of the parts of some places, one after the other. */
    private static long bytes(CollectiveCall call, int first, int end) {
        return Span.of(call::partOf, call.ranks(), rankAt(call, first), end - first).stream()
                .mapToLong(Slice::bytes)
                .sum();
    }

    /** How far a rank is from the root. */
    private static int place(CollectiveCall call, int rank) {
        return Math.floorMod(rank - call.root(), call.ranks());
    }

    private static int rankAt(CollectiveCall call, int place) {
        return (call.root() + place) % call.ranks();
    }
}
