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
 * Reduce-scatter on servers with as many ranks each: sums go round a ring of servers, and meanwhile the ranks of a server reduce what they
 * add to the next one.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PipelineReduceScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.REDUCE_SCATTER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Levels.unsupportedReason(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Pipeline.ofReduceScatter(call, rank, call::partOf);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        Pipeline.of(self, call::partOf).reduceScatter(self.output());
    }
}
