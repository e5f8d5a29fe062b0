package org.rankunit.collective.algorithms.levels;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-gather on servers with as many ranks each: parts go round a ring of servers, and while the next one comes, the ranks of a server read
 * from each other what the last step has brought.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PipelineAllGather implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Levels.unsupportedReason(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Pipeline.ofAllGather(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        self.main().copy(self.input(), self.output().part(call.partOf(self.rank())));
        Pipeline.of(self, call::partOf).gather(0);
    }
}
