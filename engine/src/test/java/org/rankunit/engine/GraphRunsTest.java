package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.GraphCases;
import org.rankunit.engine.timeline.graphs.DotReader;
import org.rankunit.engine.timeline.graphs.Graphviz;
import org.rankunit.engine.timeline.trace.TraceCheck;

/** Whole runs of tests with task graphs, whose kernels and orchestration functions are compiled from source. */
@Tag("ranks")
@Timeout(120)
class GraphRunsTest {

    private static final String TEST = "fills(RankContext)";

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>();

    @BeforeEach
    void writeKernels() throws IOException {
        parameters.put("rankunit.kernel-sources", folder.resolve("kernels").toString());
        write("aiv/fill.cpp", """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int nargs) {
                    if (nargs != 3 || args[1] == args[2]) return 7;
                    for (int i = 0; i < 4; i++) rankunit_pointer<int32_t>(args[0])[i] = static_cast<int32_t>(args[1]);
                    return 0;
                }
                """);
        write("orchestration/fill_tasks.cpp", """
                #include <rankunit/orchestration.h>
                RANKUNIT_ORCHESTRATION_FUNCTION(fill_tasks)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
                    if (nargs != 3) return 1;
                    OrchestrationArgument of_task[] = {rankunit_out(args[0], 16), rankunit_scalar(args[1]),
                                                       rankunit_scalar(args[2])};
                    rankunit_submit(env, rankunit_kernel(env, "fill"), of_task);
                    return 0;
                }
                """);
    }

    private void write(String place, String content) throws IOException {
        Path file = folder.resolve("kernels").resolve(place);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @AfterEach
    void graphsCanBeDrawn() throws IOException {
        Graphviz.drawAll(folder);
    }

    @Test
    void aTestRunsOnceForEachRuntimeAndNumberOfRanks() {
        EngineRun run = EngineRun.of(folder, parameters, GraphCases.OnTwoRuntimes.class);

        assertThat(run.results(GraphCases.OnTwoRuntimes.class))
                .containsExactly(
                        "SUCCESSFUL " + TEST + " [1 rank, host_build_graph]",
                        "SUCCESSFUL " + TEST + " [1 rank, tensormap_and_ringbuffer]",
                        "SUCCESSFUL " + TEST + " [2 ranks, host_build_graph]",
                        "SUCCESSFUL " + TEST + " [2 ranks, tensormap_and_ringbuffer]");
    }

    @Test
    void graphsOfManyTasksAreChecked() throws IOException {
        write("aiv/count.cpp", """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int count(const uint64_t *args, int) {
                    ++*rankunit_pointer<int64_t>(args[0]);
                    return 0;
                }
                """);
        write("orchestration/chains.cpp", """
                #include <rankunit/orchestration.h>
                RANKUNIT_ORCHESTRATION_FUNCTION(chains)(const OrchestrationEnv *env, const uint64_t *args, int) {
                    const uint32_t kernel = rankunit_kernel(env, "count");
                    for (uint64_t first = 0; first < args[1]; first += 32) {
                        const RankUnitScope scope(env, "a part");
                        for (uint64_t i = first; i < first + 32 && i < args[1]; i++) {
                            OrchestrationArgument arguments[] = {rankunit_inout(args[0] + 8 * (i % args[2]), 8)};
                            rankunit_submit(env, kernel, arguments);
                        }
                    }
                    if (args[3] != 0) {
                        OrchestrationArgument last[] = {rankunit_inout(args[0], 8)};
                        rankunit_submit(env, rankunit_kernel(env, "signals"), last);
                    }
                    return 0;
                }
                """);
        write("aiv/signals.cpp", """
                #include <rankunit/kernel.h>
                RANKUNIT_BLOCK_KERNEL(signals)(const KernelEnv *env, const uint64_t *args, int) {
                    rankunit_signal(env, rankunit_pointer<int32_t>(args[0]), KERNEL_SIGNAL_ADD, 1);
                    return 0;
                }
                """);

        EngineRun run = EngineRun.of(folder, parameters, GraphCases.ManyTasks.class);

        assertThat(run.results(GraphCases.ManyTasks.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL inChains(RankContext)",
                        "SUCCESSFUL independent(RankContext)",
                        "FAILED besideACopy(RankContext)",
                        "SUCCESSFUL beforeACopy(RankContext)",
                        "FAILED thatSignalsAtTheEnd(RankContext)");
        assertThat(run.message(GraphCases.ManyTasks.class, "besideACopy(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [0, 8) of `x` of rank 0",
                        "written by rank 0, stream ",
                        "written by rank 0, task 1.1 (kernel \"count\") of graph \"chains\": argument 0 at chains.cpp:8");
        assertThat(run.message(GraphCases.ManyTasks.class, "thatSignalsAtTheEnd(RankContext)"))
                .contains("not checked for races: graph \"chains\" was not recorded completely: after 65536 tasks, ");
    }

    @Test
    void onlyTheRuntimesOfTheKeyRun() {
        parameters.put("rankunit.runtime", "tensormap_and_ringbuffer, another");
        parameters.put("rankunit.only-world-sizes", "1");
        parameters.put("rankunit.timeline.arguments", "values");

        EngineRun run = EngineRun.of(folder, parameters, GraphCases.OnTwoRuntimes.class);

        assertThat(run.output()).contains("rankunit.timeline.arguments has no effect: rankunit.timeline is off");
        assertThat(run.results(GraphCases.OnTwoRuntimes.class))
                .containsExactlyInAnyOrder(
                        "SKIPPED (rankunit.runtime = another,tensormap_and_ringbuffer leaves out host_build_graph) "
                                + TEST + " [1 rank, host_build_graph]",
                        "SUCCESSFUL " + TEST + " [1 rank, tensormap_and_ringbuffer]",
                        "SKIPPED (rankunit.only-world-sizes = 1 leaves out 2 ranks) " + TEST
                                + " [2 ranks, host_build_graph]",
                        "SKIPPED (rankunit.only-world-sizes = 1 leaves out 2 ranks) " + TEST
                                + " [2 ranks, tensormap_and_ringbuffer]");
    }

    @Test
    void theTimelineOfATestHasItsGraphsBesideIt() throws IOException {
        parameters.put("rankunit.timeline", "on");
        parameters.put("rankunit.timeline.arguments", "values");
        parameters.put("rankunit.only-world-sizes", "2");

        EngineRun.of(folder, parameters, GraphCases.OnTwoRuntimes.class);

        Path report = folder.resolve("out/report.json");
        assertThat(ReportSchema.violations(report)).isEmpty();
        List<JsonNode> tests = new ArrayList<>();
        new ObjectMapper().readTree(report.toFile()).get("tests").forEach(tests::add);
        tests.removeIf(test -> test.get("variant").get("ranks").asInt() != 2);
        assertThat(tests).hasSize(2);
        for (JsonNode test : tests) {
            for (JsonNode rank : test.get("ranks")) {
                assertThat(rank.get("busy")).hasSize(1);
                JsonNode core = rank.get("busy").get(0);
                assertThat(core.get("lane").asText()).startsWith("vector core ");
                assertThat(core.get("share").asDouble()).isBetween(0.0, 1.0);
            }
            String timeline = "out/" + test.get("timeline").asText().replaceAll("json$", "");
            assertThat(TraceCheck.of(folder.resolve(timeline + "json")).slices(1))
                    .anyMatch(slice -> slice.startsWith("scheduler: dispatch: dispatch "))
                    .anyMatch(slice -> slice.startsWith("scheduler: completion: complete "))
                    .contains("host: collect outputs", "host: barrier");
            DotReader dot = DotReader.of(folder.resolve(timeline + "dot"));
            assertThat(dot.clusters()).hasSize(2).allMatch(cluster -> cluster.matches("rank [01], run \\d+: filling"));
            assertThat(dot.labels()).hasSize(2);
            JsonNode runs = new ObjectMapper()
                    .readTree(folder.resolve(timeline + "graph.json").toFile())
                    .get("runs");
            assertThat(runs).hasSize(2);
            JsonNode task = runs.get(1).get("tasks").get(0);
            assertThat(task.get("kernel").asText()).isEqualTo("fill");
            assertThat(task.get("arguments").get(0).get("use").asText()).isEqualTo("written");
            assertThat(task.get("arguments").get(0).get("bytes").asInt()).isEqualTo(16);
            assertThat(task.get("arguments").get(1).get("value").asText())
                    .as("the number of ranks")
                    .isEqualTo("0x2");
        }
    }

    @Test
    void theMemoryOfATaskIsAFileBesideTheTimelineOfItsTest() throws IOException {
        parameters.put("rankunit.timeline", "on");
        parameters.put("rankunit.timeline.arguments", "memory");
        parameters.put("rankunit.only-world-sizes", "2");

        EngineRun.of(folder, parameters, GraphCases.OnTwoRuntimes.class);

        try (Stream<Path> all = Files.list(folder.resolve("out/trace"))) {
            List<Path> graphs =
                    all.filter(file -> file.toString().endsWith(".graph.json")).toList();
            assertThat(graphs).hasSize(2);
            for (Path graph : graphs) {
                JsonNode runs = new ObjectMapper().readTree(graph.toFile()).get("runs");
                Path copies =
                        graph.resolveSibling(graph.getFileName().toString().replaceAll("graph.json$", "arguments"));
                assertThat(copies).isDirectoryContaining("glob:**.bin");
                for (JsonNode run : runs) {
                    JsonNode argument = run.get("tasks").get(0).get("arguments").get(0);
                    assertThat(argument.has("before")).as("it is only written").isFalse();
                    ByteBuffer filled = ByteBuffer.wrap(Files.readAllBytes(
                                    copies.resolve(argument.get("after").asText())))
                            .order(ByteOrder.LITTLE_ENDIAN);
                    assertThat(filled.remaining()).isEqualTo(16);
                    assertThat(filled.getInt(12)).as("the number of ranks").isEqualTo(2);
                }
            }
        }
    }

    @Test
    void mistakesFailTheirTestAloneAndSayWhatIsWrong() {
        parameters.put("rankunit.param.root", "1");
        Class<?> type = GraphCases.Mistakes.class;

        EngineRun run = EngineRun.of(folder, parameters, type);

        assertThat(run.message(type, "aTaskFails(RankContext)"))
                .contains("graph \"failing\"", "task 1 \"refused\"", "kernel \"fill\" returned 7");
        assertThat(run.message(type, "bOrchestrationThatIsNowhere(RankContext)"))
                .contains(
                        "there is no orchestration function 'nowhere_at_all' for a2a3sim",
                        "kernels/orchestration/nowhere_at_all.cpp");
        assertThat(run.message(type, "cNoArguments(RankContext)"))
                .contains("this test declares no arguments (@KernelArguments)");
        assertThat(run.message(type, "dNoRuntimeOfGraphs(RankContext)"))
                .contains(
                        "\"another_one\" is not a runtime of task graphs. There are host_build_graph, aicpu_build_graph,"
                                + " tensormap_and_ringbuffer");
        assertThat(run.message(type, "eRootThatIsNoRank(RankContext)"))
                .contains("rankunit.param.root = 1 is not a rank; ranks are in [0, 1)");
        assertThat(run.results(type)).hasSize(6).contains("SUCCESSFUL fFine(RankContext)");
    }
}
