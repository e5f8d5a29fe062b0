package org.rankunit.collective.select;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Topology;

@Tag("unit")
class CandidatesTest {

    private static final Topology TOPOLOGY = Topology.uniform(new LinkModel(2e-6, 1e10, 1, true));

    private static Candidates candidates(long count) {
        return Candidates.of(CollectiveCall.of(Collective.ALL_REDUCE, 16, DType.FLOAT32, count), TOPOLOGY);
    }

    @Test
    void littleDataTakesFewSteps() {
        assertThat(candidates(16).fastest().orElseThrow().name()).isIn("HalvingDoublingAllReduce", "TreeAllReduce");
    }

    @Test
    void muchDataIsNotSentWholeDownATree() {
        assertThat(candidates(16 << 20).fastest().orElseThrow().name()).isNotEqualTo("TreeAllReduce");
    }

    @Test
    void theReportHasTimesAndReasons() {
        assertThat(candidates(16).report())
                .startsWith("all-reduce of 16 ranks, 16 float32, sum\n")
                .containsPattern("RingAllReduce: \\d+\\.\\d{3} us")
                .contains("StagedRingAllReduce: needs single-operator mode");
    }
}
