package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Barrier: all ranks tell each other that they are there, and then that they have heard it, so that no signal of the next barrier meets
 * one of this.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshBarrier implements CollectiveAlgorithm {

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
        return Mesh.resources(call, rank);
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        Mesh.meet(self, Signal.ACK);
        Mesh.meet(self, Signal.DATA_SIGNAL);
    }
}
