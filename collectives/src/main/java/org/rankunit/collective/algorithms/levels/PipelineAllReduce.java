package org.rankunit.collective.algorithms.levels;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce on servers with as many ranks each: a {@link PipelineReduceScatter} and a {@link PipelineAllGather}, in the output.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class PipelineAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Levels.unsupportedReason(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        Resources reduce = Pipeline.ofReduceScatter(call, rank, part -> call.part(part, call.ranks()));
        Resources gather = Pipeline.ofAllGather(call, rank);
        return new Resources(
                reduce.scratchBytes(),
                Math.max(reduce.subStreams(), gather.subStreams()),
                reduce.notifies() + gather.notifies(),
                reduce.links());
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        Pipeline pipeline = Pipeline.of(self, part -> call.part(part, call.ranks()));
        Region own = self.output().part(call.part(self.rank(), call.ranks()));
        pipeline.reduceScatter(own);
        pipeline.gather(Pipeline.NOTIFIES);
    }
}
