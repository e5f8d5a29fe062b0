package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.Buffer.Role.INPUT;
import static org.rankunit.Buffer.Role.OUTPUT;
import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.WINDOW;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.GoldenModel;
import org.rankunit.KernelArguments;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.device.Cores;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.GraphRuntime;
import org.rankunit.graph.GraphTask;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/**
 * TREDUCE as a task graph, on each of the three runtimes: one task clears the output, the other one reduces into it. What
 * differs is who makes these tasks, and where the dependency between them comes from. {@link TreduceModel} gives the inputs, and
 * the outputs are verified against it on every rank.
 *
 * <p>One runtime and another root can be given on the command line:
 *
 * <pre>{@code
 * mvn test -Dtest=TreduceOnRuntimesTest -Drankunit.runtime=host_build_graph -Drankunit.param.root=1
 * }</pre>
 */
@Tag("downstream")
@DeviceCount(
        value = {2, 4, 8},
        adjustable = true)
@Platforms({"a2a3sim", "a5sim"})
@DeviceRuntime({"host_build_graph", "aicpu_build_graph", "tensormap_and_ringbuffer"})
@Window(syncPrefix = 256)
@Buffer(name = "input", type = FLOAT32, count = TreduceData.COUNT, placement = WINDOW, role = INPUT)
@Buffer(name = "output", type = FLOAT32, count = TreduceData.COUNT, role = OUTPUT)
@KernelArguments(
        value = {"input", "output", "nranks", "root", "deviceCtx"},
        inputs = "input",
        outputs = "output")
@GoldenModel(TreduceModel.class)
class TreduceOnRuntimesTest {

    private static final int TASKS = 2;

    @Test
    void sumsTheInputsOfAllRanksOnTheRoot(RankContext rank) {
        try (TaskGraph graph = graphOf(rank)) {
            run(graph, rank);
        }
    }

    @Test
    @DeviceCount(2)
    @DeviceRuntime("aicpu_build_graph")
    void theOrchestrationCanEndBeforeTheFirstTaskRuns(RankContext rank) {
        try (TaskGraph graph = graphOf(rank)) {
            graph.setConcurrent(false);
            run(graph, rank);
        }
    }

    private static void run(TaskGraph graph, RankContext rank) {
        if (graph.runtime() == GraphRuntime.HOST_BUILD_GRAPH) {
            graph.run();
        } else {
            graph.run(rank.arguments());
        }
        assertThat(graph.counts().completed()).isEqualTo(TASKS);
    }

    private static TaskGraph graphOf(RankContext rank) {
        TaskGraph graph = rank.createGraph("treduce");
        GraphKernel clear = graph.kernel(rank.kernel("clear"), Cores.VECTOR);
        GraphKernel treduce = graph.kernel(rank.kernel("treduce"), Cores.VECTOR);
        if (graph.runtime() == GraphRuntime.HOST_BUILD_GRAPH) {
            addTasks(graph, clear, treduce, rank.arguments());
        } else {
            graph.orchestration(rank.orchestration("treduce_" + rank.runtime()));
        }
        return graph;
    }

    private static void addTasks(
            TaskGraph graph, GraphKernel clear, GraphKernel treduce, List<TaskArgument> arguments) {
        TaskArgument output = arguments.get(1);
        TaskArgument root = arguments.get(3);
        TaskArgument context = arguments.get(4);
        GraphTask cleared = graph.task("clear", clear, 1, List.of(output, root, context));
        graph.task("treduce", treduce, 1, arguments).after(cleared);
    }
}
