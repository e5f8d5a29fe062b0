package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Symmetry;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Shifted;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-to-all in n - 1 steps: in step k, each rank reads from the one k before it, and is read by the one k after it. Unlike
 * {@link MeshAllToAll}, each rank has two peers at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PairwiseAllToAll implements CollectiveAlgorithm {

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
        int n = call.ranks();
        int rank = self.rank();
        TaskStream main = self.main();
        main.copy(self.input().part(call.sent(rank, rank)), self.output().part(call.received(rank, rank)));
        for (int k = 1; k < n; k++) {
            Link before = self.link(Math.floorMod(rank - k, n));
            Link after = self.link((rank + k) % n);
            int peer = before.peer();
            main.txAck(after);
            main.rxAck(before);
            main.get(
                    before,
                    self.buffer(BufferKind.INPUT, peer).part(call.sent(peer, rank)),
                    self.output().part(call.received(peer, rank)));
            main.txDataSignal(before);
            main.rxDataSignal(after);
        }
    }
}
