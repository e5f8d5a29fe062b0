package org.rankunit.coll.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.Signal;
import org.rankunit.coll.Symmetry;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.algorithms.links.Shifted;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

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
