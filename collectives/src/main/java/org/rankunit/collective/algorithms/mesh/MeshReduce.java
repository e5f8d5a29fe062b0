package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Reduce in windows: the root reduces the inputs of all others into its own, one after the other.
 *
 * <p>With x(r) the element of rank r, the result is {@code ((x(root) op x(root + 1)) op x(root + 2)) op ...}, ranks modulo n.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.REDUCE;
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
        main.copy(self.input(), self.output());
        for (Link link : Mesh.links(self)) {
            Pairs.fetchReduced(main, link, self.buffer(BufferKind.INPUT, link.peer()), self.output());
        }
    }
}
