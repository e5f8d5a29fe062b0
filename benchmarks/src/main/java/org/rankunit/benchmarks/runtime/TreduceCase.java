package org.rankunit.benchmarks.runtime;

import static org.rankunit.DType.FLOAT32;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.RepeatedTest;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Placement;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.device.Cores;
import org.rankunit.golden.Golden;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.GraphRuntime;
import org.rankunit.graph.GraphTask;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;
import org.rankunit.KernelArguments;

/**
 * The sample TreduceOnRuntimesTest on 2 ranks, many times, with that sample's kernels. Rank 0 writes into the file of the
 * parameter "times" how many milliseconds each body took.
 */
@DeviceCount(2)
@DeviceRuntime({"host_build_graph", "aicpu_build_graph", "tensormap_and_ringbuffer"})
@Window(syncPrefix = 256)
@Buffer(name = "input", type = FLOAT32, count = TreduceCase.COUNT, placement = Placement.WINDOW)
@Buffer(name = "output", type = FLOAT32, count = TreduceCase.COUNT)
@KernelArguments(
        value = {"input", "output", "nranks", "root", "deviceCtx"},
        inputs = "input",
        outputs = "output")
class TreduceCase {

    static final int COUNT = 256;
    static final int TESTS = 1000;
    private static final int TASKS = 2;

    private static final List<String> MILLIS = new ArrayList<>();

    @RepeatedTest(TESTS)
    void sumsTheInputsOfAllRanksOnTheRoot(RankContext rank) {
        long start = System.nanoTime();
        prepare(rank);
        try (TaskGraph graph = graphOf(rank)) {
            if (graph.runtime() == GraphRuntime.HOST_BUILD_GRAPH) {
                graph.run();
            } else {
                graph.run(rank.arguments());
            }
            rank.barrier();
            if (graph.counts().completed() != TASKS) {
                throw new AssertionError(graph.counts());
            }
            verify(rank);
        }
        MILLIS.add(Double.toString((System.nanoTime() - start) / 1e6));
    }

    @AfterAll
    static void tell(RankContext rank) throws IOException {
        if (rank.rank() == 0) {
            Files.write(Path.of(rank.parameter("times").orElseThrow()), MILLIS);
        }
        MILLIS.clear();
    }

    private static void prepare(RankContext rank) {
        float[] input = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            input[i] = i + 100f * rank.rank();
        }
        rank.buffer("input").write(input);
        rank.buffer("output").write(untouched());
        rank.barrier();
    }

    private static void verify(RankContext rank) {
        float[] expected = untouched();
        if (rank.rank() == 0) {
            for (int i = 0; i < COUNT; i++) {
                expected[i] = 2f * i + 100f;
            }
        }
        Golden.of("output", expected).within(1e-5, 1e-5).verify(rank.buffer("output"));
    }

    private static float[] untouched() {
        float[] values = new float[COUNT];
        Arrays.fill(values, -1);
        return values;
    }

    private static TaskGraph graphOf(RankContext rank) {
        TaskGraph graph = rank.createGraph("treduce");
        GraphKernel clear = graph.kernel(rank.kernel("clear"), Cores.VECTOR);
        GraphKernel treduce = graph.kernel(rank.kernel("treduce"), Cores.VECTOR);
        if (graph.runtime() == GraphRuntime.HOST_BUILD_GRAPH) {
            List<TaskArgument> arguments = rank.arguments();
            GraphTask cleared =
                    graph.task("clear", clear, 1, List.of(arguments.get(1), arguments.get(3), arguments.get(4)));
            graph.task("treduce", treduce, 1, arguments).after(cleared);
        } else {
            graph.orchestration(rank.orchestration("treduce_" + rank.runtime()));
        }
        return graph;
    }
}
