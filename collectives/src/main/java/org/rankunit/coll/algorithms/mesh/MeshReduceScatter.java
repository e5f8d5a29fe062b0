package org.rankunit.coll.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Cost;
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
import org.rankunit.coll.call.Slice;

/**
 * Reduce-scatter in windows: each rank reduces its part of all inputs, which it reads where they are.
 *
 * <p>With x(r) the element of rank r, part r is {@code ((x(r) op x(r + 1)) op x(r + 2)) op ...}, ranks modulo n.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshReduceScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.REDUCE_SCATTER;
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
    public Optional<Cost> cost(CollectiveCall call) {
        int others = call.ranks() - 1;
        return call.counts().isEmpty() && call.count() > 0
                ? Optional.of(new Cost(others, others * call.partOf(0).bytes()))
                : Optional.empty();
    }

    @Override
    public Symmetry symmetry(CollectiveCall call) {
        return Shifted.cyclic(call);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Slice part = call.partOf(self.rank());
        Mesh.meet(self, Signal.ACK);
        main.copy(self.input().part(part), self.output());
        for (Link link : Mesh.links(self)) {
            main.getReduce(link, self.buffer(BufferKind.INPUT, link.peer()).part(part), self.output());
        }
        Mesh.meet(self, Signal.DATA_SIGNAL);
    }
}
