package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.SlurmCases;
import org.rankunit.engine.slurm.MiniSlurm;
import org.rankunit.engine.slurm.RequiresSlurm;

/** What a run says, and what it leaves, when something of the cluster fails while its ranks work. */
@Tag("slurm")
@RequiresSlurm(inNamespaces = true)
class SlurmFailuresTest {

    private static final String WAITS = "waits(RankContext)";
    private static final String THEN_PASSES = "thenPasses(RankContext)";

    /** Of {@link SlurmCases.Endless}. */
    private static final int RANKS = 4;

    /** Of each test its own: what fails in one would be there in the next. */
    private MiniSlurm slurm;

    @TempDir
    Path folder;

    @BeforeEach
    void start() {
        slurm = MiniSlurm.startInNamespaces(
                4, 4, Map.of("PREEMPT", "CANCEL", "SKEW", "100000", "EXTRA_CONF", "SlurmdTimeout=3\nMessageTimeout=3"));
    }

    @AfterEach
    void stop() {
        slurm.close();
    }

    private SlurmRun waiting(String allocate) throws Exception {
        return SlurmRun.untilRanksWait(
                slurm, folder, RANKS, SlurmRun.order(slurm, folder, allocate), SlurmCases.Endless.class);
    }

    @Test
    void aNodeThatIsCutOffIsNamedAndTheNextTestRunsOnTheOthers() throws Exception {
        SlurmRun run = waiting("-N3 --gres=npu:2");
        String lost = run.node(2);
        slurm.cut(lost);
        try {
            run.parent().awaitEnd();
            assertThat(run.parent().results()).containsExactly("FAILED " + WAITS, "SUCCESSFUL " + THEN_PASSES);
            assertThat(run.parent().messages().get(0))
                    .contains(
                            "failed on ranks 2, 3",
                            "was lost with its node: " + lost + " does not answer",
                            "ranks 0, 1 were released from barrier");
            assertThat(run.notes(0, "nodes ").get(1)).doesNotContain(lost);
            // Those on the node that is cut off end by themselves, since they hear nothing from the parent.
            run.awaitEndOfRanks(RANKS);
        } finally {
            slurm.heal(lost);
        }
        run.assertNothingIsLeft();
    }

    @Test
    void whenTheDaemonOfANodeDiesItsRanksGoOnAndFurtherOnesStartElsewhere() throws Exception {
        SlurmRun run = SlurmRun.untilRanksWait(
                slurm,
                folder,
                2,
                SlurmRun.order(slurm, folder, "-N3 --gres=npu:1"),
                SlurmCases.Patient.class,
                SlurmCases.Fresh.class);
        String lost = run.node(1);
        slurm.killNode(lost);
        try {
            Files.createFile(folder.resolve("go on"));
            run.parent().awaitEnd();
            assertThat(run.parent().results())
                    .containsExactly(
                            "SUCCESSFUL waitsForAFile(RankContext)",
                            "SUCCESSFUL " + THEN_PASSES,
                            "SUCCESSFUL passes(RankContext)");
            assertThat(run.parent().printed())
                    .contains("is brought up again on other devices", "was not started", lost);
            assertThat(run.notes(0, "nodes ")).hasSize(3);
            assertThat(run.notes(0, "nodes ").get(2)).doesNotContain(lost);
            run.awaitEndOfRanks(2);
        } finally {
            slurm.startNode(lost);
        }
        run.assertNothingIsLeft();
    }

    /** Another step stands for those that do not give their processors back. */
    @Test
    void ranksStartThoughSlurmTakesSoundNodesForBusyAfterTheJobHasLostAnotherOne() throws Exception {
        SlurmRun run = SlurmRun.untilRanksWait(
                slurm,
                folder,
                2,
                SlurmRun.order(slurm, folder, "--nodelist=node1,node2,node3 --gres=npu:2 --exclusive")
                        .parameter("rankunit.max-parallel", "1"),
                SlurmCases.Patient.class,
                SlurmCases.OnTwoNodes.class);
        List<String> used = List.of(run.node(0), run.node(1));
        Process holder = holdOtherProcessors(run.job(), used);
        try {
            String third = Stream.of("node1", "node2", "node3")
                    .filter(node -> !used.contains(node))
                    .findFirst()
                    .orElseThrow();
            assertThat(slurm.run("scontrol", "update", "nodename=" + third, "state=down", "reason=lost")
                            .exit())
                    .isZero();

            Files.createFile(folder.resolve("go on"));
            run.parent().awaitEnd();

            assertThat(run.parent().results())
                    .as(used + run.parent().printed() + run.parent().messages())
                    .containsExactly(
                            "SUCCESSFUL waitsForAFile(RankContext)",
                            "SUCCESSFUL " + THEN_PASSES,
                            "SUCCESSFUL ranksMeetBetweenTheNodes(RankContext)");
            assertThat(run.parent().printed())
                    .contains(
                            " is brought up again: ",
                            "was not started: the job has lost nodes, and Slurm lets the step");
            run.awaitEndOfRanks(2);
        } finally {
            holder.destroyForcibly().waitFor();
        }
        run.assertNothingIsLeft();
    }

    private Process holdOtherProcessors(String job, List<String> nodes) throws Exception {
        Path holds = folder.resolve("holds");
        ProcessBuilder builder = new ProcessBuilder(slurm.commandLine(
                "srun",
                "--jobid=" + job,
                "--exact",
                "--nodes=2",
                "--nodelist=" + String.join(",", nodes),
                "--ntasks-per-node=1",
                "--cpus-per-task=8",
                "--gres=none",
                "sh",
                "-c",
                "touch " + holds + "; exec sleep 600"));
        builder.environment().putAll(slurm.environment());
        Process holder = builder.redirectErrorStream(true)
                .redirectOutput(folder.resolve("holder.txt").toFile())
                .start();
        SlurmRun.await("another step runs", () -> Files.exists(holds));
        return holder;
    }

    @Test
    void aStepThatIsCancelledIsSaidAndTheNextTestRuns() throws Exception {
        SlurmRun run = waiting("-N2 --gres=npu:2");
        slurm.run("scancel", run.note(2, "step "));
        run.parent().awaitEnd();
        assertThat(run.parent().results()).containsExactly("FAILED " + WAITS, "SUCCESSFUL " + THEN_PASSES);
        assertThat(run.parent().messages().get(0))
                .contains("failed on ranks 2, 3", "its step was cancelled", "ranks 0, 1 were released from barrier");
        run.awaitEndOfRanks(RANKS);
        run.assertNothingIsLeft();
    }

    @Test
    void aJobThatIsCancelledEndsTheRun() throws Exception {
        SlurmRun run = waiting("-N2 --gres=npu:2");
        String job = run.job();
        slurm.run("scancel", job);
        run.parent().awaitEnd();
        assertThat(run.parent().results()).containsExactly("FAILED " + WAITS, "FAILED " + THEN_PASSES);
        assertThat(run.parent().messages()).hasSize(2);
        assertThat(run.parent().messages().get(0)).contains("was ended by Slurm: its step was cancelled");
        assertThat(run.parent().messages().get(1))
                .containsPattern("Slurm job " + job + " (is ending|has ended: CANCELLED)");
        run.awaitEndOfRanks(RANKS);
        run.assertNothingIsLeft();
    }

    @Test
    void aJobThatIsPreemptedIsSaid() throws Exception {
        SlurmRun run = waiting("-N4 --gres=npu:4");
        MiniSlurm.Ended urgent =
                slurm.run("salloc", "--no-shell", "--job-name=urgent", "-p", "urgent", "-N4", "--gres=npu:4");
        assertThat(urgent.exit()).isZero();
        run.parent().awaitEnd();
        slurm.run("scancel", "--name=urgent");
        assertThat(run.parent().results()).containsExactly("FAILED " + WAITS, "FAILED " + THEN_PASSES);
        assertThat(run.parent().messages().get(0))
                .contains("was ended by Slurm: its step was cancelled due to preemption");
        assertThat(run.parent().messages().get(1)).containsPattern("Slurm job \\d+ (is ending|has ended: PREEMPTED)");
        run.awaitEndOfRanks(RANKS);
        run.assertNothingIsLeft();
    }

    @Test
    void theEndOfAJobsTimeIsSaid() throws Exception {
        SlurmRun run = waiting("-N2 --gres=npu:2 --time=60");
        // Slurm looks for jobs whose time is up about every half minute.
        slurm.run("scontrol", "update", "JobId=" + run.job(), "TimeLimit=0");
        run.parent().awaitEnd();
        assertThat(run.parent().results()).containsExactly("FAILED " + WAITS, "FAILED " + THEN_PASSES);
        assertThat(run.parent().messages().get(0))
                .contains("was ended by Slurm: its step was cancelled due to time limit");
        assertThat(run.parent().messages().get(1)).containsPattern("Slurm job \\d+ (is ending|has ended: TIMEOUT)");
        run.awaitEndOfRanks(RANKS);
        run.assertNothingIsLeft();
    }

    @Test
    void aRestartOfTheControllerIsNotNoticed() throws Exception {
        SlurmRun run = SlurmRun.untilRanksWait(
                slurm, folder, 2, SlurmRun.order(slurm, folder, "-N2 --gres=npu:1"), SlurmCases.Patient.class);
        slurm.stopController();
        Files.createFile(folder.resolve("go on"));
        slurm.startController();
        run.parent().awaitEnd();
        assertThat(run.parent().results())
                .containsExactly("SUCCESSFUL waitsForAFile(RankContext)", "SUCCESSFUL " + THEN_PASSES);
        run.awaitEndOfRanks(2);
        run.assertNothingIsLeft();
    }

    @Test
    void aRunThatIsKilledLeavesNeitherRanksNorItsJob() throws Exception {
        SlurmRun run = waiting("-N2 --gres=npu:2");
        run.parent().process().toHandle().destroyForcibly();
        run.awaitEndOfRanks(RANKS);
        run.awaitEndOfJob();
    }
}
