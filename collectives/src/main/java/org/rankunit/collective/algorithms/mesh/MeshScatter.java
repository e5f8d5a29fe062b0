package org.rankunit.collective.algorithms.mesh;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * Scatter in windows: all others read their parts of the root's input, at the same time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class MeshScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.SCATTER;
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
        Slice part = call.partOf(self.rank());
        if (self.rank() != call.root()) {
            Region theirs = self.buffer(BufferKind.INPUT, call.root()).part(part);
            Pairs.fetch(main, self.link(call.root()), theirs, self.output());
            return;
        }
        Mesh.links(self).forEach(main::txAck);
        main.copy(self.input().part(part), self.output());
        Mesh.links(self).forEach(main::rxDataSignal);
    }
}
