package org.rankunit.collective.algorithms.nb;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Barrier in log2 n steps, rounded up: in step k, each rank tells the one 2^k after it that it has come so far. Every signal is
 * answered, so that none of the next barrier meets one of this.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class DisseminationBarrier implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.BARRIER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Optional.empty();
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Distances.resources(call, rank);
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        int n = self.call().ranks();
        TaskStream main = self.main();
        for (int distance = 1; distance < n; distance *= 2) {
            Link before = self.link(Math.floorMod(self.rank() - distance, n));
            Link after = self.link((self.rank() + distance) % n);
            main.txAck(after);
            main.rxAck(before);
            main.txDataSignal(before);
            main.rxDataSignal(after);
        }
    }
}
