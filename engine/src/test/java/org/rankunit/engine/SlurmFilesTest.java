package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.Values;
import org.rankunit.engine.cases.KernelCases;
import org.rankunit.engine.cases.NodeFileCases;
import org.rankunit.engine.cases.ShakeCases;
import org.rankunit.engine.cases.TimelineCases;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.slurm.MiniSlurm;
import org.rankunit.engine.slurm.RequiresSlurm;
import org.rankunit.golden.files.RankFiles;
import org.rankunit.golden.files.ValueFiles;

/**
 * Runs on a cluster whose nodes do not see what the launcher writes, nor the classes of these tests, and whose clocks count from
 * other moments, as those of different machines do.
 */
@Tag("slurm")
@RequiresSlurm(inNamespaces = true)
class SlurmFilesTest {

    private static final int NODES = 3;

    /** Each node has something else here, which is nothing at first. */
    @TempDir
    static Path hidden;

    private static MiniSlurm slurm;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        Path classes = Path.of("target").toAbsolutePath();
        slurm = MiniSlurm.start(NODES, 4, Map.of("HIDE", hidden + ":" + classes, "SKEW", "100000"));
    }

    @AfterAll
    static void stop() {
        slurm.close();
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(slurm.run("squeue", "-h", "-t", "pending,running").out()).isBlank();
        MiniSlurm.Ended left = slurm.run("srun", "-N" + NODES, "--ntasks-per-node=1", "ls", "-A", hidden + "/nodes");
        assertThat(left.out()).as("what is left on the nodes").isBlank();
        try (Stream<Path> sessions = Files.list(hidden.resolve("out/sessions"))) {
            assertThat(sessions).as("session folders").isEmpty();
        }
        delete(hidden.resolve("out"));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private ParentRun.Order order(String allocate) {
        return SlurmRun.order(slurm, folder, allocate)
                .parameter("rankunit.output-dir", hidden.resolve("out").toString())
                .parameter("rankunit.slurm.node-folder", hidden.resolve("nodes").toString())
                .jvmArgument("-Dbasedir=" + hidden.resolve("project"))
                .environment("XDG_CACHE_HOME", hidden.resolve("cache").toString());
    }

    private List<String> notes(int rank, String prefix) throws IOException {
        return Files.readAllLines(folder.resolve("notes-of-rank-" + rank)).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    private static void writeGolden(String name, int rank, int... values) throws IOException {
        RankFiles files = RankFiles.of(hidden.resolve("project/golden"), rank);
        Files.createDirectories(files.folder());
        ValueFiles.write(files.npy(name), Values.int32(values), values.length);
    }

    @Test
    void classesGoToTheNodesAndWhatRanksWriteComesBack() throws Exception {
        for (int rank = 0; rank < 2; rank++) {
            writeGolden("input", rank, rank + 1, 10);
            writeGolden("output", rank, 2 * rank + 2, 20);
        }

        ParentRun run = order("-N2 --gres=npu:1").run(NodeFileCases.OnTwoNodes.class);

        assertThat(run.results())
                .as("%s", run.messages())
                .containsExactly(
                        "SUCCESSFUL classesAreCopies(RankContext)",
                        "SUCCESSFUL valuesAreGathered(RankContext)",
                        "SUCCESSFUL outputsAreRight(RankContext)",
                        "FAILED anOutputIsWrong(RankContext)",
                        "FAILED oneCrashes(RankContext)");
        assertThat(run.printed()).contains("rankunit: copies the class path to the nodes: node");
        for (int rank = 0; rank < 2; rank++) {
            assertThat(notes(rank, "class "))
                    .hasSize(3)
                    .allMatch(place -> place.startsWith(hidden.resolve("nodes").toString()));
        }
        assertThat(run.messages().get(0))
                .contains("failed on rank 1 (node2)", "actual outputs: " + hidden.resolve("out"));
        assertThat(run.messages().get(1)).contains("failed on rank 1", "crashed in native code", "SIGSEGV");
        assertDurationsAreOfOneClock();
        assertThat(actual("anOutputIsWrong", 0)).containsExactly(2, 20);
        assertThat(actual("anOutputIsWrong", 1)).containsExactly(5, 20);
    }

    /** What a rank measures and what the launcher measures are of different clocks; a difference of two would be a day. */
    private static void assertDurationsAreOfOneClock() throws IOException {
        RunReport report = new JsonReport().read(hidden.resolve("out/report.json"));
        List<Double> millis = new ArrayList<>();
        for (RunReport.TestEntry test : report.tests()) {
            millis.add(test.milliseconds().sum());
            for (RunReport.RankEntry rank : test.ranks()) {
                millis.add(rank.knownAfter());
                rank.phases().forEach(phase -> millis.add(phase.milliseconds()));
            }
        }
        assertThat(millis).hasSizeGreaterThan(20).allMatch(each -> each >= 0 && each < 60_000);
    }

    private static int[] actual(String test, int rank) throws IOException {
        try (Stream<Path> tests = Files.list(hidden.resolve("out/actual"))) {
            Path one = tests.filter(each -> each.toString().contains(test))
                    .findFirst()
                    .orElseThrow();
            return ValueFiles.read(RankFiles.of(one, rank).required("output"), org.rankunit.DType.INT32)
                    .toInts();
        }
    }

    @Test
    void aNodeThatCannotWriteALogIsSaid() throws Exception {
        ParentRun run = order("-N2 --gres=npu:1")
                .parameter("rankunit.slurm.files", "shared")
                .run(NodeFileCases.OnTwoNodes.class);

        assertThat(run.results()).allMatch(result -> result.startsWith("FAILED"));
        assertThat(run.messages().get(0))
                .contains(
                        "was not started",
                        "could not connect IO",
                        "rankunit.output-dir",
                        "rankunit.slurm.files = copied");
    }

    @Test
    void kernelsGoToTheNodesAndRecordsComeBack() throws Exception {
        Path kernel = folder.resolve("kernels/aiv/fill.cpp");
        Files.createDirectories(kernel.getParent());
        Files.writeString(kernel, """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int nargs) {
                    for (uint64_t i = 0; i < args[1]; i++) rankunit_pointer<int32_t>(args[0])[i] = (int32_t)args[2];
                    return 0;
                }
                """);

        ParentRun run = order("-N2 --ntasks-per-node=2")
                .parameter("rankunit.kernel-sources", folder.resolve("kernels").toString())
                .parameter("rankunit.timeline", "on")
                .run(
                        KernelCases.FromSource.class,
                        TimelineCases.Signals.class,
                        TimelineCases.Crash.class,
                        ShakeCases.BetweenRanks.class);

        assertThat(run.results())
                .as("%s", run.messages())
                .startsWith(
                        "SUCCESSFUL aKernelOfVectorCores(RankContext)",
                        "FAILED bKernelThatDoesNotCompile(RankContext)",
                        "FAILED cKernelThatIsNowhere(RankContext)",
                        "SUCCESSFUL dNoKernel(RankContext)",
                        "SUCCESSFUL aPasses(RankContext)",
                        "FAILED bFails(RankContext)",
                        "FAILED crashes(RankContext)");
        try (Stream<Path> traces = Files.list(hidden.resolve("out/trace"))) {
            assertThat(traces.map(each -> String.valueOf(each.getFileName())).sorted())
                    .anyMatch(name -> name.contains("aPasses"))
                    .anyMatch(name -> name.contains("crashes"));
        }
    }
}
