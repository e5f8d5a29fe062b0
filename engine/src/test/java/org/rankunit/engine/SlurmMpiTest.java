package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.MpiCases;
import org.rankunit.engine.slurm.MiniSlurm;
import org.rankunit.engine.slurm.RequiresSlurm;

/** Ranks on simulators over MPICH, whose processes find each other by PMI-2, which {@code srun} offers. */
@Tag("slurm")
@RequiresSlurm
class SlurmMpiTest {

    private static final Path LIBRARY = Path.of("../native-comm/target/native/src/main/cpp/librankunit_mpich.so")
            .toAbsolutePath();

    private static MiniSlurm slurm;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        assumeThat(LIBRARY).exists();
        slurm = MiniSlurm.start(2, 0);
    }

    @AfterAll
    static void stop() {
        if (slurm != null) {
            slurm.close();
        }
    }

    private ParentRun run(Class<?>... types) throws Exception {
        return SlurmRun.order(slurm, folder, "-N2 --ntasks-per-node=4")
                .parameter("rankunit.comm-library", LIBRARY.toString())
                .parameter("rankunit.window-size", "1MiB")
                .parameter("rankunit.slurm.srun-args", "--mpi=pmi2")
                .parameter(
                        "rankunit.kernel-sources",
                        Path.of("../sample-tests/src/test/kernels")
                                .toAbsolutePath()
                                .toString())
                .run(types);
    }

    private List<String> notes(int rank, String prefix) throws IOException {
        return SlurmRun.notes(folder, rank, prefix);
    }

    private void assertNothingIsLeft(int ranks) throws Exception {
        assertThat(slurm.run("squeue", "-h", "-t", "pending,running").out()).isBlank();
        try (Stream<Path> sessions = Files.list(folder.resolve("out/sessions"))) {
            assertThat(sessions).as("session folders").isEmpty();
        }
        for (int rank = 0; rank < ranks; rank++) {
            for (String pid : notes(rank, "pid ")) {
                assertThat(Path.of("/proc", pid))
                        .as("the process of rank %d", rank)
                        .doesNotExist();
            }
        }
    }

    @Test
    void theRootOfTreduceReadsTheInputsOfBothNodes() throws Exception {
        ParentRun run = run(MpiCases.Treduce.class);

        assertThat(run.results())
                .containsExactly("SUCCESSFUL onOneNode(RankContext)", "SUCCESSFUL onTwoNodes(RankContext)");
        assertThat(notes(0, "nodes "))
                .containsExactly("node1,node1,node1,node1", "node1,node1,node2,node2", "node1,node1,node2,node2");
        assertNothingIsLeft(4);
    }

    @Test
    void inputsThatRankUnitLoadsAreSeenOnBothNodes() throws Exception {
        ParentRun run = run(MpiCases.Loaded.class);

        assertThat(run.results())
                .as("%s", run.messages())
                .containsExactly("SUCCESSFUL inputsOfAllRanksAreThereWhenATestBegins(RankContext)");
        assertThat(notes(0, "nodes ")).containsExactly("node1,node1,node2,node2");
    }

    @Test
    void windowsOfAnotherNodeAreCopiesThatNobodyMayWriteTo() throws Exception {
        ParentRun run = run(MpiCases.Copies.class);

        assertThat(run.results())
                .containsExactly(
                        "SUCCESSFUL windowsOfAnotherNodeAreThoseOfTheLastBarrier(RankContext)",
                        "FAILED aWriteToOneOfThemIsACrash(RankContext)");
        assertThat(notes(2, "windows ")).singleElement().asString().contains("this one has ranks 2, 3");
        assertThat(run.messages().get(0)).contains("failed on rank 1", "crashed in native code", "SIGSEGV");
        assertNothingIsLeft(4);
    }

    @Test
    void aRankThatDiesIsNamedAndItsPeersOnBothNodesAreReleased() throws Exception {
        ParentRun run = run(MpiCases.Deaths.class);

        assertThat(run.results())
                .containsExactly(
                        "FAILED oneExits(RankContext)",
                        "FAILED oneIsKilled(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
        assertThat(run.messages().get(0))
                .contains("failed on rank 2", "exited with code 3", "ranks 0, 1, 3 were released from barrier");
        assertThat(run.messages().get(1))
                .contains("failed on rank 1", "killed by SIGKILL", "ranks 0, 2, 3 were released from barrier");
        assertNothingIsLeft(4);
    }

    @Test
    void aCollectiveByAScheduleIsRefusedInWords() throws Exception {
        ParentRun run = run(MpiCases.Collectives.class);

        assertThat(run.results()).containsExactly("FAILED aScheduleIsRefused(RankContext)");
        assertThat(run.messages().get(0)).contains("coll_plan_create");
        assertNothingIsLeft(2);
    }
}
