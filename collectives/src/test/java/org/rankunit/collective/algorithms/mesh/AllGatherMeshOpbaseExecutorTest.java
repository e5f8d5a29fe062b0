package org.rankunit.collective.algorithms.mesh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.collective.assertions.CollectiveAssertions.assertThatCollective;
import static org.rankunit.collective.assertions.CollectiveAssertions.ranks;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.collective.Medium;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

@Tag("unit")
class AllGatherMeshOpbaseExecutorTest {

    private static final CollectiveCall CALL =
            CollectiveCall.of(Collective.ALL_GATHER, 4, DType.FLOAT32, 25).withMemory(MemoryMode.SINGLE_OPERATOR, 4096);

    private final AllGatherMeshOpbaseExecutor algorithm = new AllGatherMeshOpbaseExecutor();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void needsAStreamAndTwoNotifiesForEachOther(int p) {
        Resources resources = algorithm.resources(CALL.withRanks(p), 0);

        assertThat(resources.scratchBytes()).isZero();
        assertThat(resources.subStreams()).isEqualTo(p - 1);
        assertThat(resources.notifies()).isEqualTo(2 * (p - 1));
        assertThat(resources.links())
                .containsExactlyElementsOf(IntStream.range(1, p).boxed().toList());
    }

    @Test
    void linksHaveFourNotifiesInsideAServerAndSixBetween() {
        assertThat(Medium.SDMA.notifies()).isEqualTo(4);
        assertThat(Medium.RDMA.notifies()).isEqualTo(6);
    }

    @Test
    void fourRanksRun29TasksEach() {
        Schedule schedule = Schedule.of(algorithm, CALL);

        for (RankSchedule rank : schedule.ranks()) {
            assertThat(rank.size()).isEqualTo(29);
            assertThat(kinds(rank, 0))
                    .containsExactly(
                            TaskKind.COPY,
                            TaskKind.POST,
                            TaskKind.POST,
                            TaskKind.POST,
                            TaskKind.COPY,
                            TaskKind.WAIT,
                            TaskKind.WAIT,
                            TaskKind.WAIT);
            for (int stream = 1; stream < 4; stream++) {
                assertThat(kinds(rank, stream))
                        .containsExactly(
                                TaskKind.WAIT,
                                TaskKind.POST,
                                TaskKind.WAIT,
                                TaskKind.GET,
                                TaskKind.POST,
                                TaskKind.WAIT,
                                TaskKind.POST);
            }
        }
    }

    private static List<TaskKind> kinds(RankSchedule rank, int stream) {
        return rank.tasks().stream()
                .filter(task -> task.stream() == stream)
                .map(Task::kind)
                .toList();
    }

    @Test
    void subStreamKReadsFromTheRankKPlusOneBefore() {
        RankSchedule rank = Schedule.of(algorithm, CALL).rank(1);

        assertThat(rank.tasks().stream()
                        .filter(task -> task.kind() == TaskKind.GET)
                        .map(Task::toString))
                .containsExactly(
                        "GET ccl_out[0, 100) of rank 0 to output[0, 100) of rank 1, task 3 of sub stream 0 of rank 1",
                        "GET ccl_out[44, 144) of rank 3 to output[300, 400) of rank 1, task 3 of sub stream 1 of rank 1",
                        "GET ccl_out[72, 172) of rank 2 to output[200, 300) of rank 1, task 3 of sub stream 2 of rank 1");
    }

    @Test
    void appliesToOneServerInSingleOperatorModeWithBuffersLargeEnough() {
        assertThat(algorithm.unsupportedReason(CALL)).isEmpty();
        assertThat(algorithm.unsupportedReason(CALL.withRanksPerServer(2))).contains("needs all ranks on one server");
        assertThat(algorithm.unsupportedReason(CALL.withMemory(MemoryMode.WINDOWS, 4096)))
                .contains("needs single-operator mode");
        assertThat(algorithm.unsupportedReason(CALL.withMemory(MemoryMode.SINGLE_OPERATOR, 100)))
                .contains("needs CCL buffers of 200 bytes");
    }

    @Test
    void isCorrect() {
        assertThatCollective(algorithm).isCorrectFor(ranks(1, 12));
    }
}
