package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Gather in windows: the root reads the inputs of all others, one after the other.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshGather implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Mesh.resourcesOfRoot(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        if (self.rank() != call.root()) {
            Pairs.offer(main, self.link(call.root()));
            return;
        }
        main.copy(self.input(), self.output().part(call.partOf(self.rank())));
        for (Link link : Mesh.links(self)) {
            Region slot = self.output().part(call.partOf(link.peer()));
            Pairs.fetch(main, link, self.buffer(BufferKind.INPUT, link.peer()), slot);
        }
    }
}
