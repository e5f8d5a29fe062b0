package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.ApartCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.local.RunLeftovers;

/** Ranks without a communicator: everything but the communicator is as usual. */
@Tag("ranks")
@Timeout(120)
class WithoutCommunicatorRunsTest {

    private static EngineRun run;
    private static Notes notes;
    private static RunLeftovers leftovers;

    @BeforeAll
    static void runAll(@TempDir Path folder) throws Exception {
        notes = Notes.in(folder);
        leftovers = RunLeftovers.watch(folder);
        run = EngineRun.of(
                folder,
                Map.of("rankunit.sim.devices", "4", "rankunit.param.folder", folder.toString()),
                ApartCases.class);
    }

    @AfterAll
    static void forget() {
        notes.close();
        leftovers.close();
    }

    @Test
    void eachTestHasItsOwnResult() {
        assertThat(run.results(ApartCases.class))
                .as("%s", run.messages())
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL haveTheirDevices(RankContext)",
                        "SUCCESSFUL haveNoCommunicator(RankContext)",
                        "SUCCESSFUL haveOneIfTheMethodSaysSo(RankContext)",
                        "SUCCESSFUL goInStep(String, RankContext)[1]",
                        "SUCCESSFUL goInStep(String, RankContext)[2]",
                        "FAILED failOnOne(RankContext)",
                        "FAILED failWhenTheyAskForIt(RankContext)",
                        "FAILED loseOne(RankContext)",
                        "SUCCESSFUL thenPass(RankContext)");
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void eachRankHasADeviceOfItsOwn() throws Exception {
        assertThat(notes.of(0, "device ")).containsExactly("0 of 2 ranks");
        assertThat(notes.of(1, "device ")).containsExactly("1 of 2 ranks");
    }

    @Test
    void nothingOfACommunicatorIsBroughtUp() throws Exception {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(notes.of(rank, "windows ")).containsExactlyInAnyOrder("false", "true");
        }
    }

    @Test
    void aFailureIsThatOfItsRankAlone() {
        assertThat(run.message(ApartCases.class, "failOnOne(RankContext)"))
                .startsWith("ApartCases.failOnOne [2 ranks, a2a3sim] failed on rank 1\n")
                .contains("\n  rank 0 passed\n");
    }

    @Test
    void askingForTheCommunicatorFailsTheTest() {
        assertThat(run.message(ApartCases.class, "failWhenTheyAskForIt(RankContext)"))
                .contains("failed on ranks 0, 1\n", "@DeviceCount(communicator = false)");
    }

    @Test
    void aRankThatDiesIsToldAndTheNextTestRunsOnNewOnes() throws Exception {
        assertThat(run.message(ApartCases.class, "loseOne(RankContext)"))
                .startsWith("ApartCases.loseOne [2 ranks, a2a3sim] failed on rank 1\n")
                .contains("exited with code 7", "\n  rank 0 passed\n");
        assertThat(leftovers.all(4)).isEmpty();
    }
}
