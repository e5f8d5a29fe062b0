package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-to-all in windows: each rank reads its parts of the inputs of all others.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshAllToAll implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_TO_ALL;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
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
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        int rank = self.rank();
        main.copy(self.input().part(call.sent(rank, rank)), self.output().part(call.received(rank, rank)));
        Mesh.meet(self, Signal.ACK);
        for (Link link : Mesh.links(self)) {
            int peer = link.peer();
            main.get(
                    link,
                    self.buffer(BufferKind.INPUT, peer).part(call.sent(peer, rank)),
                    self.output().part(call.received(peer, rank)));
        }
        Mesh.meet(self, Signal.DATA_SIGNAL);
    }
}
