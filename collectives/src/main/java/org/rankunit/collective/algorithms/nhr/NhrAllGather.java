package org.rankunit.collective.algorithms.nhr;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.links.Distances;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-gather in log2 n exchanges, rounded up, for any number of ranks: distances get smaller, numbers of slices larger.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class NhrAllGather implements CollectiveAlgorithm {

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
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        self.main().copy(self.input(), self.output().part(call.partOf(self.rank())));
        new Strides(self, BufferKind.OUTPUT, call::partOf).gather();
    }
}
