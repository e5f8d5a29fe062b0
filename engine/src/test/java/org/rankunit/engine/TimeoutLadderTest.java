package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.engine.cases.FaultCases;
import org.rankunit.engine.cases.MadeKernel;
import org.rankunit.engine.launch.local.RunLeftovers;

/** The innermost and the outermost time-out, in real runs: each names what was waited for, and nothing is left. */
@Tag("ranks")
@Timeout(120)
class TimeoutLadderTest {

    private RunLeftovers leftovers;

    @BeforeEach
    void watch(@TempDir Path temp) throws IOException {
        leftovers = RunLeftovers.watch(temp);
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(4)).isEmpty();
        leftovers.close();
    }

    @Test
    void aKernelThatRunsForTooLongIsNamedWithItsRankAndItsLineAndTheNextTestRuns(@TempDir Path temp) throws Exception {
        MadeKernel.thatSpins("endless");

        EngineRun run = EngineRun.of(
                temp, parameters(temp, "rankunit.device-timeout", "500ms"), FaultCases.EndlessKernel.class);

        assertThat(run.results(FaultCases.EndlessKernel.class))
                .containsExactly("FAILED spins(RankContext)", "SUCCESSFUL theNext(RankContext)");
        assertThat(run.message(FaultCases.EndlessKernel.class, "spins(RankContext)"))
                .startsWith("FaultCases.EndlessKernel.spins [2 ranks, a2a3sim] failed on rank 1")
                .contains(
                        "kernel 'endless' had not ended after 500 ms (rankunit.device-timeout), and was ended with its"
                                + " rank; it was at")
                .containsPattern(
                        "rank 0 is in barrier #1 \\(FaultCases\\.java:\\d+\\); rank 1 never entered it: it is at"
                                + " FaultCases\\.java:\\d+");
    }

    @Test
    void aWaitInTheCommunicatorThatTakesTooLongSaysWhatHeldTheRanksAndTheNextTestRuns(@TempDir Path temp) {
        EngineRun run = EngineRun.of(
                temp,
                parameters(temp, "rankunit.comm-timeout", "700ms"),
                FaultCases.Hangs.Busy.class,
                DiskCases.Plain.class);

        assertThat(run.results(FaultCases.Hangs.Busy.class)).containsExactly("FAILED livelock(RankContext)");
        assertThat(EngineRun.withoutNumbers(run.message(FaultCases.Hangs.Busy.class, "livelock(RankContext)"))
                        .replaceFirst("waited \\d+ ms", "waited 700 ms"))
                .startsWith("FaultCases.Hangs.Busy.livelock [2 ranks, a2a3sim] failed on ranks 0, 1\n"
                        + "\n"
                        + "  rank 0 was in barrier #N (FaultCases.java:L); rank 1 never entered it: it is at"
                        + " FaultCases.java:L\n"
                        + "  rank 0: org.rankunit.comm.CommException: rank 0 of 2, barrier: rank 0 waited 700 ms in"
                        + " barrier #N; rank 1 had not arrived (rankunit.comm-timeout)\n"
                        + "  rank 1: was still running 10 s after it was released, and was ended; it was at\n"
                        + "      at org.rankunit.engine.cases.FaultCases$Hangs$Busy.livelock(FaultCases.java:L)\n"
                        + "  log of rank 0: ");
        assertThat(run.results(DiskCases.Plain.class))
                .containsExactly("SUCCESSFUL a(RankContext)", "SUCCESSFUL b(RankContext)");
    }

    @Test
    void whenTheTimeOfTheRunIsOverTheTestAtHandIsToldWhereItWasAndTheOthersThatTheyDidNotRun(@TempDir Path temp) {
        EngineRun run = EngineRun.of(
                temp,
                parameters(temp, "rankunit.session-timeout", "6s"),
                FaultCases.Hangs.Busy.class,
                FaultCases.Children.class);

        assertThat(run.results(FaultCases.Hangs.Busy.class)).containsExactly("FAILED livelock(RankContext)");
        assertThat(run.message(FaultCases.Hangs.Busy.class, "livelock(RankContext)"))
                .contains(
                        "had not ended when the time limit of the whole run was reached, 6000 ms (rankunit.session-timeout)")
                .contains("rank 1 never entered it");
        assertThat(run.results(FaultCases.Children.class)).hasSize(2).allMatch(result -> result.startsWith("FAILED "));
        assertThat(run.message(FaultCases.Children.class, "ofARankThatPasses(RankContext)"))
                .contains(
                        "did not run: the time limit of the whole run was reached, 6000 ms (rankunit.session-timeout)");
    }

    @Test
    void noTestOfARunWithoutTimeIsLost(@TempDir Path temp) {
        EngineRun run =
                EngineRun.of(temp, parameters(temp, "rankunit.session-timeout", "1ms"), FaultCases.Children.class);

        assertThat(run.results(FaultCases.Children.class)).hasSize(2).allMatch(result -> result.startsWith("FAILED "));
        assertThat(run.imbalance()).isEmpty();
    }

    private static Map<String, String> parameters(Path temp, String key, String value) {
        return Map.of(
                "rankunit.sim.devices",
                "4",
                "rankunit.max-parallel",
                "1",
                "rankunit.pool-dir",
                temp.resolve("pool").toString(),
                key,
                value);
    }
}
