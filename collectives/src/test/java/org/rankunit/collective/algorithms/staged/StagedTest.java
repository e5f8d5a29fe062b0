package org.rankunit.collective.algorithms.staged;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.mesh.MeshAllReduce;
import org.rankunit.collective.algorithms.nhr.NhrReduceScatter;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.simulate.Level;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;

@Tag("unit")
class StagedTest {

    private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 1000)
            .withMemory(MemoryMode.SINGLE_OPERATOR, 1024);

    private final Staged staged = new Staged(new MeshAllReduce());

    @Test
    void dataThatDoesNotFitIsDoneInChunksOfHalfTheBuffer() {
        assertThat(copiesOfInput(CALL.withCount(300)))
                .containsExactly(
                        "COPY input[0, 512) of rank 1 to ccl_in[0, 512) of rank 1",
                        "COPY input[512, 1024) of rank 1 to ccl_in[512, 1024) of rank 1",
                        "COPY input[1024, 1200) of rank 1 to ccl_in[0, 176) of rank 1");
        assertThat(copiesOfInput(CALL.withCount(256)))
                .containsExactly("COPY input[0, 1024) of rank 1 to ccl_in[0, 1024) of rank 1");
    }

    @Test
    void aBufferOfOneElementHasNoHalves() {
        assertThat(copiesOfInput(CALL.withCount(2).withMemory(MemoryMode.SINGLE_OPERATOR, 4)))
                .containsExactly(
                        "COPY input[0, 4) of rank 1 to ccl_in[0, 4) of rank 1",
                        "COPY input[4, 8) of rank 1 to ccl_in[0, 4) of rank 1");
    }

    private List<String> copiesOfInput(CollectiveCall call) {
        return Schedule.of(staged, call).rank(1).tasks().stream()
                .filter(task -> task.from() != null && task.from().buffer() == BufferKind.INPUT)
                .map(Task::what)
                .toList();
    }

    @Test
    void chunksAreCopiedWhileOthersAreExchanged() {
        CollectiveCall large = CALL.withCount(16_000);
        double inside = seconds(new MeshAllReduce(), large.withMemory(MemoryMode.WINDOWS, 1024));
        double inOneChunk = seconds(staged, large.withMemory(MemoryMode.SINGLE_OPERATOR, 1 << 20));

        assertThat(seconds(staged, large)).isBetween(inside, 1.05 * inside);
        assertThat(inOneChunk).isGreaterThan(1.5 * inside);
    }

    private static double seconds(CollectiveAlgorithm algorithm, CollectiveCall call) {
        List<Level> links = Topology.uniform(new LinkModel(0, 1e9, 2, true)).levels();
        return Simulation.of(Schedule.of(algorithm, call), new Topology(links, 0, 1.5e9, 0))
                .seconds();
    }

    @Test
    void whatItCannotDoIsSaid() {
        assertThat(staged.unsupportedReason(CALL)).isEmpty();
        assertThat(staged.unsupportedReason(CALL.withMemory(MemoryMode.WINDOWS, 1024)))
                .contains("needs single-operator mode");
        assertThat(staged.unsupportedReason(CALL.withMemory(MemoryMode.SINGLE_OPERATOR, 3)))
                .contains("needs CCL buffers of 4 bytes");
        CollectiveCall parts = CollectiveCall.of(Collective.REDUCE_SCATTER, 3, DType.FLOAT32, 10)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1024);
        assertThat(new Staged(new NhrReduceScatter()).unsupportedReason(parts))
                .contains("needs an algorithm without scratch memory");
        assertThat(new Staged(new NhrReduceScatter()).unsupportedReason(parts.withCounts(List.of(1L, 2L, 3L))))
                .contains("needs the same number of elements on each rank");
    }
}
