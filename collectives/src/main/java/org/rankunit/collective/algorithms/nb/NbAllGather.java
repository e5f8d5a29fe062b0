package org.rankunit.collective.algorithms.nb;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-gather in log2 n steps, rounded up, for any number of ranks: in step k, each rank reads from the one 2^k before it the slices that
 * this one has and it lacks: 2^k of them, in the last step what is left.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class NbAllGather implements CollectiveAlgorithm {

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
        return Distances.resources(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        self.main().copy(self.input(), self.output().part(call.partOf(self.rank())));
        new Doubling(self, BufferKind.OUTPUT, call::partOf).gather();
    }
}
