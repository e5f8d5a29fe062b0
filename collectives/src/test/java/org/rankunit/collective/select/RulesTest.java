package org.rankunit.collective.select;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;

@Tag("unit")
class RulesTest {

    private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_GATHER, 4, DType.FLOAT32, 100)
            .withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20);

    private static String chosen(Interconnect interconnect, String asked, CollectiveCall call) {
        HcclAlgo algo = asked.isEmpty() ? HcclAlgo.none() : HcclAlgo.parse(asked);
        return new Rules(interconnect, algo).select(call).orElseThrow().name();
    }

    @Test
    void aMeshOnOneServerInSingleOperatorModeGetsItsExecutor() {
        Selection selection =
                new Rules(Interconnect.MESH, HcclAlgo.none()).select(CALL).orElseThrow();

        assertThat(selection.name()).isEqualTo("AllGatherMeshOpbaseExecutor");
        assertThat(selection.tag()).isEqualTo("all-gather/AllGatherMeshOpbaseExecutor");
        assertThat(selection.reason()).isEqualTo("one server with a mesh");
    }

    @Test
    void withoutOneOfTheThreeItGetsAnother() {
        assertThat(chosen(Interconnect.RING, "", CALL)).isEqualTo("StagedRingAllGather");
        assertThat(chosen(Interconnect.MESH, "", CALL.withMemory(MemoryMode.WINDOWS, 1 << 20)))
                .isEqualTo("MeshAllGather");
        assertThat(chosen(Interconnect.MESH, "", CALL.withRanksPerServer(1))).isEqualTo("StagedDoublingAllGather");
    }

    @ParameterizedTest
    @CsvSource({
        "2, '', HalvingDoublingAllReduce",
        "3, '', RingAllReduce",
        "8, '', HalvingDoublingAllReduce",
        "9, '', HalvingDoublingAllReduce",
        "8, level0:NA;level1:ring, RingAllReduce",
        "3, level0:NA;level1:NHR, NhrAllReduce",
        "3, level0:NA;level1:H-D_R, HalvingDoublingAllReduce",
        "3, allgather=level0:NA;level1:NB/allreduce=level0:NA;level1:NHR, NhrAllReduce",
        "3, allgather=level0:NA;level1:NB, RingAllReduce"
    })
    void betweenServersTheirNumberDecidesUnlessOneIsAskedFor(int servers, String asked, String name) {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2 * servers, DType.FLOAT32, 100)
                .withRanksPerServer(2);

        assertThat(chosen(Interconnect.MESH, asked, call)).isEqualTo(name);
    }

    @Test
    void aFamilyWithoutAnAlgorithmForTheCollectiveLeavesItToOthers() {
        CollectiveCall call = CollectiveCall.of(Collective.GATHER, 4, DType.FLOAT32, 100);

        Selection selection =
                new Rules(Interconnect.RING, HcclAlgo.none()).select(call).orElseThrow();

        assertThat(selection.name()).isEqualTo("MeshGather");
        assertThat(selection.reason()).isEqualTo("one server with a ring, which has none that applies");
    }

    @Test
    void whatNothingAppliesToIsNotChosen() {
        CollectiveCall call = CALL.withMemory(MemoryMode.SINGLE_OPERATOR, 1);

        assertThat(new Rules(Interconnect.MESH, HcclAlgo.none()).select(call)).isEmpty();
    }
}
