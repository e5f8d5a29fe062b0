package org.rankunit.coll.algorithms.staged;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.coll.algorithms.mesh.MeshAllReduce;
import org.rankunit.coll.algorithms.nhr.NhrReduceScatter;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.MemoryMode;
import org.rankunit.coll.schedule.RankSchedule;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.schedule.Task;

class StagedTest {

    private static final CollectiveCall CALL = CollectiveCall.of(Collective.ALL_REDUCE, 3, DType.FLOAT32, 1000)
            .withMemory(MemoryMode.SINGLE_OPERATOR, 1024);

    private final Staged staged = new Staged(new MeshAllReduce());

    @Test
    void dataThatDoesNotFitIsDoneInChunks() {
        RankSchedule rank = Schedule.of(staged, CALL).rank(1);

        assertThat(rank.tasks().stream()
                        .filter(task -> task.from() != null && task.from().buffer() == BufferKind.INPUT)
                        .map(Task::what))
                .containsExactly(
                        "COPY input[0, 1024) of rank 1 to ccl_in[0, 1024) of rank 1",
                        "COPY input[1024, 2048) of rank 1 to ccl_in[0, 1024) of rank 1",
                        "COPY input[2048, 3072) of rank 1 to ccl_in[0, 1024) of rank 1",
                        "COPY input[3072, 4000) of rank 1 to ccl_in[0, 928) of rank 1");
    }

    @Test
    void whatItCannotDoIsSaid() {
        assertThat(staged.whyNot(CALL)).isEmpty();
        assertThat(staged.whyNot(CALL.withMemory(MemoryMode.WINDOWS, 1024))).contains("needs single-operator mode");
        assertThat(staged.whyNot(CALL.withMemory(MemoryMode.SINGLE_OPERATOR, 3)))
                .contains("needs CCL buffers of 4 bytes");
        CollectiveCall parts = CollectiveCall.of(Collective.REDUCE_SCATTER, 3, DType.FLOAT32, 10)
                .withMemory(MemoryMode.SINGLE_OPERATOR, 1024);
        assertThat(new Staged(new NhrReduceScatter()).whyNot(parts))
                .contains("needs an algorithm without scratch memory");
        assertThat(new Staged(new NhrReduceScatter()).whyNot(parts.withCounts(List.of(1L, 2L, 3L))))
                .contains("needs as many elements on each rank");
    }
}
