package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.SlurmCases;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.slurm.MiniSlurm;
import org.rankunit.engine.slurm.RequiresSlurm;

/** Runs on a cluster on which nothing fails but tests, and mistakes of users. */
@Tag("slurm")
@RequiresSlurm
class SlurmRunsTest {

    private static MiniSlurm slurm;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        slurm = MiniSlurm.start(4, 8, Map.of("GRES", "npu,gpu:ascend910b"));
    }

    @AfterAll
    static void stop() {
        slurm.close();
    }

    private ParentRun.Order order(String allocate) {
        return SlurmRun.order(slurm, folder, allocate);
    }

    private List<String> notes(int rank, String prefix) throws IOException {
        return Files.readAllLines(folder.resolve("notes-of-rank-" + rank)).stream()
                .filter(line -> line.startsWith(prefix))
                .map(line -> line.substring(prefix.length()))
                .toList();
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(slurm.run("squeue", "-h", "-t", "pending,running").out()).isBlank();
        try (Stream<Path> sessions = Files.list(folder.resolve("out/sessions"))) {
            assertThat(sessions).as("session folders").isEmpty();
        }
    }

    @Test
    void simulatorsRunOnOneNodeAndTheirOutputBelongsToItsTest() throws Exception {
        ParentRun run = order("-N2 --gres=npu:4").run(SlurmCases.Together.class, SlurmCases.Apart.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL ranksMeet(RankContext)",
                        "SUCCESSFUL theyKnowTheirWindows(RankContext)",
                        "FAILED oneFails(RankContext)",
                        "SKIPPED (needs 2 nodes, and the ranks of a2a3sim share the memory of one node. Run it on"
                                + " hardware, without @Nodes, or with a communication library that spans nodes"
                                + " (rankunit.comm-library, and --mpi in rankunit.slurm.srun-args)) neverRuns()");
        assertThat(run.messages()).singleElement().asString().contains("failed on rank 1", "[a rank that is right]");
        assertThat(run.printed()).contains("rankunit: runs in Slurm job ", " on node1, node2");
        List<String> printed =
                run.printed().lines().filter(line -> line.startsWith("[rank")).toList();
        assertThat(printed)
                .containsExactly(
                        "[rank 0] rank 0 says something",
                        "[rank 1] rank 1 says something",
                        "[rank 0] rank 0 complains",
                        "[rank 1] rank 1 complains");
        assertThat(notes(0, "nodes ")).containsExactly("node1,node1");
        assertThat(notes(1, "place ")).containsExactly("node1 1 1");
        assertNothingIsLeft();
    }

    @Test
    void ranksArePlacedAsTheirTestSays() throws Exception {
        ParentRun run = order("-N2 --gres=npu:2")
                .run(SlurmCases.OnTwoNodes.class, SlurmCases.Anywhere.class, SlurmCases.TooMany.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL ranksMeetBetweenTheNodes(RankContext)",
                        "SUCCESSFUL ranksMeet(RankContext)",
                        "SKIPPED (needs 64 devices, a2a3 has 4) neverRuns()");
        assertThat(notes(0, "nodes ")).containsExactly("node1,node1,node2,node2", "node1,node1,node2");
        assertThat(notes(1, "place ")).containsExactly("node1 1 1", "node1 1 1");
        assertThat(notes(2, "place ")).containsExactly("node2 0 0", "node2 0 0");
        assertThat(notes(3, "place ")).containsExactly("node2 1 1");
        assertThat(run.printed()).contains("nothing tells the ranks on node");
        List<String> segments = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            segments.addAll(notes(rank, "segment "));
        }
        assertThat(segments).hasSize(4).doesNotContain("none").doesNotHaveDuplicates();
        assertNothingIsLeft();
    }

    @Test
    void aRankThatDiesIsNamedWithWhatEndedIt() throws Exception {
        ParentRun run = order("-N2 --gres=npu:2").run(SlurmCases.Deaths.class);

        assertThat(run.results())
                .containsExactly(
                        "FAILED oneExits(RankContext)",
                        "FAILED oneCrashes(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
        assertThat(run.messages().get(0))
                .contains("failed on rank 2 (node2)", "exited with code 3", "ranks 0, 1, 3 were released from barrier");
        assertThat(run.messages().get(1)).contains("failed on rank 1", "crashed in native code", "SIGSEGV");
        assertNothingIsLeft();
    }

    @Test
    void deviceIdsOfTheJobAreThoseOfItsDevices() throws Exception {
        // Takes the first devices of each node, so that the run gets others.
        MiniSlurm.Ended other = slurm.run("salloc", "--no-shell", "--job-name=other", "-N4", "--gres=npu:3");
        assertThat(other.exit()).isZero();

        ParentRun run = order("-N2 --gres=npu:2")
                .parameter("rankunit.slurm.device-ids", "job")
                .run(SlurmCases.OnTwoNodes.class);

        slurm.run("scancel", "--name=other");
        assertThat(run.results()).containsExactly("SUCCESSFUL ranksMeetBetweenTheNodes(RankContext)");
        assertThat(notes(0, "place ")).containsExactly("node1 0 3");
        assertThat(notes(3, "place ")).containsExactly("node2 1 4");
        assertThat(run.printed()).doesNotContain("nothing tells the ranks");
        assertReportNamesDevices(List.of(3, 4, 3, 4), List.of("node1", "node1", "node2", "node2"));
    }

    /** Assert that the report of a run with one test has these devices of these nodes, by rank. */
    private void assertReportNamesDevices(List<Integer> devices, List<String> nodes) throws IOException {
        Path file = folder.resolve("out/report.json");
        assertThat(ReportSchema.violations(file)).isEmpty();
        RunReport report = new JsonReport().read(file);
        assertThat(report.tests()).singleElement().satisfies(test -> {
            assertThat(test.devices()).isEqualTo(devices);
            assertThat(test.nodes()).isEqualTo(nodes);
            assertThat(test.ranks()).extracting(RunReport.RankEntry::node).isEqualTo(nodes);
        });
        assertThat(report.executions().get(0).groups()).singleElement().satisfies(group -> {
            assertThat(group.devices()).isEqualTo(devices);
            assertThat(group.nodes()).isEqualTo(nodes);
        });
    }

    @Test
    void aSiteThatTellsStepsTheirDevicesNeedsNoSetting() throws Exception {
        MiniSlurm.Ended other = slurm.run("salloc", "--no-shell", "--job-name=other", "-N4", "--gres=gpu:ascend910b:5");
        assertThat(other.exit()).isZero();

        ParentRun run = order("-N2 --gres=gpu:ascend910b:2")
                .parameter("rankunit.slurm.gres", "gpu:ascend910b")
                .run(SlurmCases.OnTwoNodes.class);

        slurm.run("scancel", "--name=other");
        assertThat(run.results()).containsExactly("SUCCESSFUL ranksMeetBetweenTheNodes(RankContext)");
        assertThat(notes(0, "place ")).containsExactly("node1 0 5");
        assertThat(notes(3, "place ")).containsExactly("node2 1 6");
        assertThat(run.printed()).doesNotContain("nothing tells the ranks");
    }

    @Test
    void insideAJobItsNodesAreUsedAndItIsNotReleased() throws Exception {
        String job = granted("-N2", "--ntasks-per-node=2", "--gres=npu:2");

        ParentRun run = SlurmRun.inJob(slurm, folder, job).run(SlurmCases.OnTwoNodes.class);

        assertThat(run.results()).containsExactly("SUCCESSFUL ranksMeetBetweenTheNodes(RankContext)");
        assertThat(run.printed()).contains("rankunit: runs in Slurm job " + job + " on node1, node2");
        assertThat(slurm.run("squeue", "-h", "-j", job, "-o", "%T").out().strip())
                .isEqualTo("RUNNING");
        slurm.run("scancel", job);
    }

    @Test
    void aJobWithFewerProcessorsThanDevicesIsSaid() throws Exception {
        String job = granted("-N2", "--gres=npu:2");

        ParentRun run = SlurmRun.inJob(slurm, folder, job).run(SlurmCases.OnTwoNodes.class);

        slurm.run("scancel", job);
        assertThat(run.printed())
                .contains("has 2 devices and 1 processor on node1, and each rank needs one: ask for"
                        + " --ntasks-per-node=2 to use them all");
        assertThat(run.results()).singleElement().asString().startsWith("SKIPPED (needs 4 devices, a2a3 has 2)");
    }

    private static String granted(String... arguments) {
        String[] command = Stream.concat(
                        Stream.of("salloc", "--no-shell", "--job-name=granted"), Arrays.stream(arguments))
                .toArray(String[]::new);
        MiniSlurm.Ended ended = slurm.run(command);
        assertThat(ended.exit()).as("%s", ended).isZero();
        return slurm.run("squeue", "-h", "--name=granted", "-o", "%i").out().strip();
    }

    /** A job array whose tasks each run their part; the last task of an array has the id of the whole array. */
    @Test
    void theTasksOfAnArrayAreShards() throws Exception {
        Path script = Files.writeString(folder.resolve("array.sh"), "#!/bin/sh\nexec sleep 300\n");
        slurm.run(
                "sbatch",
                "--array=1-2",
                "-N2",
                "--ntasks-per-node=2",
                "--gres=npu:2",
                "-o",
                "/dev/null",
                script.toString());
        SlurmRun.await(
                "the array runs",
                () -> slurm.run("squeue", "-h", "-t", "running", "-o", "%i")
                                .out()
                                .lines()
                                .count()
                        == 2);
        String array = slurm.run("squeue", "-h", "-o", "%F").lines().get(0).strip();

        for (int task = 1; task <= 2; task++) {
            String id = slurm.run("squeue", "-h", "-j", array + "_" + task, "-o", "%A")
                    .out()
                    .strip();
            Path own = Files.createDirectory(folder.resolve("task-" + task));
            ParentRun run = SlurmRun.inJob(slurm, own, id)
                    .environment("SLURM_ARRAY_JOB_ID", array)
                    .environment("SLURM_ARRAY_TASK_ID", Integer.toString(task))
                    .parameter("rankunit.shard", task + "/2")
                    .run(SlurmCases.OnTwoNodes.class, SlurmCases.Anywhere.class);
            assertThat(run.results())
                    .filteredOn(result -> result.startsWith("SUCCESSFUL"))
                    .hasSize(1);
            assertThat(run.results())
                    .filteredOn(result -> result.startsWith("SKIPPED"))
                    .hasSize(1);
            assertThat(run.printed()).contains("rankunit: runs in Slurm job " + id + " ");
        }
        slurm.run("scancel", array);
    }

    @Test
    void mistakesAreSaidAndNothingIsAllocated() throws Exception {
        assertThat(mistake(order("-N2 --gres=npu:9")))
                .contains("salloc", "-N2 --gres=npu:9 --ntasks-per-node=9 failed", "rankunit.slurm.allocate");
        assertThat(mistake(order("-N2 --gres=tpu:1"))).contains("Invalid generic resource", "rankunit.slurm.allocate");
        assertThat(mistake(order("-N9 --gres=npu:1"))).contains("salloc", "Node count specification invalid");
        assertThat(mistake(order("-N1").parameter("rankunit.slurm.gres", "npu:2")))
                .contains("rankunit.slurm.gres = \"npu:2\"");
        assertThat(mistake(order("-N1").parameter("rankunit.launcher", "local")))
                .contains("rankunit.slurm.allocate", "rankunit.launcher is local");
        assertThat(mistake(order("-N1").environment("PATH", folder.toString())))
                .contains("cannot be run", "Slurm's commands must be on the PATH");
        assertThat(mistake(order("-N1").parameter("rankunit.devices", "0-1")))
                .contains("rankunit.devices applies to this machine", "rankunit.launcher");
        assertThat(mistake(new ParentRun.Order(folder).parameter("rankunit.launcher", "slurm")))
                .contains("this process is not inside a Slurm job (SLURM_JOB_ID is not set)");
        assertThat(mistake(SlurmRun.inJob(slurm, folder, "4711")))
                .contains("scontrol show job -d 4711 failed", "Invalid job id");
        assertThat(mistake(order("-N1").environment("SLURM_CONF", withoutMunge().toString())))
                .contains("salloc", "failed with exit code 1", "Munge encode failed");
        assertThat(slurm.run("squeue", "-h", "-t", "pending,running").out()).isBlank();
    }

    /** The nodes of this cluster are on one machine. */
    @Test
    void aFolderForCopiesThatTwoNodesShareIsSaid() throws Exception {
        Path nodes = folder.resolve("nodes");

        String mistake = mistake(order("-N2 --gres=npu:2")
                .parameter("rankunit.slurm.files", "copied")
                .parameter("rankunit.slurm.node-folder", nodes.toString()));

        assertThat(mistake)
                .contains("the class path cannot be copied to the nodes", "rankunit.slurm.node-folder = " + nodes)
                .containsPattern("node[12]: another node has created .*: it must be a folder local to each node");
        assertThat(nodes).isEmptyDirectory();
        assertNothingIsLeft();
    }

    /** A configuration in which clients look for the authentication service where it is not. */
    private Path withoutMunge() throws IOException {
        String conf = Files.readString(slurm.conf());
        assertThat(conf).contains("AuthInfo=socket=");
        return Files.writeString(
                folder.resolve("no-munge.conf"),
                conf.replaceAll("AuthInfo=socket=.*", "AuthInfo=socket=" + folder.resolve("no.sock")));
    }

    /** What the only test says of a mistake because of which it did not run. */
    private String mistake(ParentRun.Order order) throws Exception {
        ParentRun run = order.run(SlurmCases.OnTwoNodes.class);
        assertThat(run.results()).containsExactly("FAILED ranksMeetBetweenTheNodes(RankContext)");
        return run.messages().get(0);
    }

    @Test
    void aJobThatIsNotGrantedInTimeIsGivenUp() throws Exception {
        String job = granted("-N4", "--gres=npu:8");

        String mistake = mistake(order("-N2 --gres=npu:1").parameter("rankunit.slurm.allocate-timeout", "3s"));

        slurm.run("scancel", job);
        assertThat(mistake)
                .contains("Slurm has granted no job within 3 s (rankunit.slurm.allocate-timeout)", "PENDING");
        assertThat(slurm.run("squeue", "-h", "-t", "pending").out()).isBlank();
    }
}
