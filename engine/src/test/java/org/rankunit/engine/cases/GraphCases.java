package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.KernelArguments;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.device.Cores;
import org.rankunit.device.Stream;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.GraphRuntime;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Tests that run task graphs. */
public final class GraphCases {

    private GraphCases() {}

    /** The kernel "fill" fills x with the number of ranks, and fails where that is the value of "root". */
    @DeviceCount({1, 2})
    @Platforms("a2a3sim")
    @DeviceRuntime({"host_build_graph", "tensormap_and_ringbuffer"})
    @Buffer(name = "x", type = DType.INT32, count = 4)
    @KernelArguments(
            value = {"x", "nranks", "root"},
            outputs = "x")
    public static class OnTwoRuntimes {

        @Test
        void fills(RankContext rank) {
            assertThat(rank.arguments())
                    .containsExactly(
                            TaskArgument.out(rank.buffer("x").address(), 16),
                            TaskArgument.scalar(rank.worldSize()),
                            TaskArgument.scalar(rank.intParameter("root", 0)));
            try (TaskGraph graph = rank.createGraph("filling")) {
                assertThat(graph.runtime().id()).isEqualTo(rank.runtime());
                GraphKernel fill = graph.kernel(rank.kernel("fill"), Cores.VECTOR, 3);
                if (graph.runtime() == GraphRuntime.HOST_BUILD_GRAPH) {
                    graph.task("the only one", fill, 1, rank.arguments());
                    graph.run();
                } else {
                    graph.orchestration(rank.orchestration("fill_tasks"));
                    graph.run(rank.arguments());
                }
            }
            assertThat(rank.buffer("x").readInts()).containsOnly(rank.worldSize());
        }
    }

    /** 70,000 tasks, more than are recorded if they use the same bytes; 64 fit into the ring at once. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @DeviceRuntime("tensormap_and_ringbuffer")
    @Buffer(name = "x", type = DType.INT64, count = ManyTasks.TASKS)
    public static class ManyTasks {

        static final int TASKS = 70_000;

        @Test
        void inChains(RankContext rank) {
            run(rank, 16);
            assertThat(rank.buffer("x").readLongs())
                    .startsWith(TASKS / 16, TASKS / 16)
                    .endsWith(0);
        }

        @Test
        void independent(RankContext rank) {
            run(rank, TASKS);
            assertThat(rank.buffer("x").readLongs()).containsOnly(1);
        }

        @Test
        void besideACopy(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.copy(rank.buffer("x").address(), rank.buffer("x").address() + 512, 8);
                run(rank, 16);
                stream.synchronize(Duration.ofSeconds(30));
            }
        }

        /** A chain has been counted to an end before it is read. */
        @Test
        void beforeACopy(RankContext rank) {
            run(rank, 16);
            try (Stream stream = rank.device().createStream()) {
                stream.copy(rank.buffer("x").address() + 512, rank.buffer("x").address(), 8);
                stream.synchronize(Duration.ofSeconds(30));
            }
        }

        @Test
        void thatSignalsAtTheEnd(RankContext rank) {
            run(rank, 16, 1);
        }

        private static void run(RankContext rank, int chains) {
            run(rank, chains, 0);
        }

        private static void run(RankContext rank, int chains, int signals) {
            try (TaskGraph graph = rank.createGraph("chains")) {
                graph.setRingSlots(64);
                graph.kernel(rank.kernel("count"), Cores.VECTOR, 1);
                graph.kernel(rank.kernel("signals"), Cores.VECTOR, 1);
                graph.orchestration(rank.orchestration("chains"));
                graph.run(List.of(
                        TaskArgument.inout(rank.buffer("x").address(), 8L * chains),
                        TaskArgument.scalar(TASKS),
                        TaskArgument.scalar(chains),
                        TaskArgument.scalar(signals)));
            }
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    @DeviceRuntime("host_build_graph")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Mistakes {

        @Test
        @Buffer(name = "x", type = DType.INT32, count = 4)
        void aTaskFails(RankContext rank) {
            try (TaskGraph graph = rank.createGraph("failing")) {
                GraphKernel fill = graph.kernel(rank.kernel("fill"), Cores.VECTOR);
                long x = rank.buffer("x").address();
                graph.task(
                        "refused",
                        fill,
                        1,
                        List.of(TaskArgument.out(x, 16), TaskArgument.scalar(4), TaskArgument.scalar(4)));
                graph.run();
            }
        }

        @Test
        void bOrchestrationThatIsNowhere(RankContext rank) {
            rank.orchestration("nowhere_at_all");
        }

        @Test
        void cNoArguments(RankContext rank) {
            rank.arguments();
        }

        @Test
        @DeviceRuntime("another_one")
        void dNoRuntimeOfGraphs(RankContext rank) {
            rank.createGraph("g");
        }

        @Test
        @KernelArguments("root")
        void eRootThatIsNoRank(RankContext rank) {
            rank.arguments();
        }

        @Test
        void fFine(RankContext rank) {
            rank.createGraph("g").close();
        }
    }
}
