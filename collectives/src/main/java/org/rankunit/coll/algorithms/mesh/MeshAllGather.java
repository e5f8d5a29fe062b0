package org.rankunit.coll.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
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

/**
 * All-gather in windows: each rank reads the inputs of all others where they are.
 *
 * <p>n - 1 reads one after the other; they do not depend on each other.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshAllGather implements CollectiveAlgorithm {

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
        List<Link> links = Mesh.links(self);
        Mesh.post(self, links, Signal.ACK);
        // Meanwhile the others come as far.
        main.copy(self.input(), self.output().part(call.partOf(self.rank())));
        Mesh.await(self, links, Signal.ACK);
        for (Link link : links) {
            main.get(
                    link,
                    self.buffer(BufferKind.INPUT, link.peer()),
                    self.output().part(call.partOf(link.peer())));
        }
        Mesh.meet(self, Signal.DATA_SIGNAL);
    }
}
