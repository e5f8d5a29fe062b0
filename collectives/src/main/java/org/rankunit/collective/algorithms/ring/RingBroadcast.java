package org.rankunit.collective.algorithms.ring;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
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
 * Broadcast along a chain that begins at the root: in n parts, so that a part goes on while the next one comes.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RingBroadcast implements CollectiveAlgorithm {

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
        return Ring.resourcesOfChain(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        int n = call.ranks();
        int place = Math.floorMod(self.rank() - call.root(), n);
        TaskStream main = self.main();
        if (place == 0) {
            main.copy(self.input(), self.output());
        }
        for (int number = 0; number < n; number++) {
            Slice part = call.part(number, n);
            if (place > 0) {
                Link left = self.link(Math.floorMod(self.rank() - 1, n));
                Region theirs = self.buffer(BufferKind.OUTPUT, left.peer()).part(part);
                Pairs.fetch(main, left, theirs, self.output().part(part));
            }
            if (place < n - 1) {
                Pairs.offer(main, self.link((self.rank() + 1) % n));
            }
        }
    }
}
