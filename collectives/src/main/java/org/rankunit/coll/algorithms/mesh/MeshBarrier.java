package org.rankunit.coll.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.Signal;
import org.rankunit.coll.Symmetry;
import org.rankunit.coll.algorithms.links.Shifted;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

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
