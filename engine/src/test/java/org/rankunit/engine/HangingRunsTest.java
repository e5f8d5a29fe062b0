package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.FaultCases;
import org.rankunit.engine.cases.HangCases;
import org.rankunit.engine.launch.local.RunLeftovers;

/** Ranks that never come to an end: the time-out of the test ends them, says where each was, and leaves nothing. */
@Tag("ranks")
@Timeout(120)
class HangingRunsTest {

    private static EngineRun run;
    private static RunLeftovers leftovers;

    @BeforeAll
    static void runAll(@TempDir Path temp) throws IOException {
        leftovers = RunLeftovers.watch(temp);
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "9", "rankunit.test-timeout", "3s", "rankunit.max-parallel", "4"),
                FaultCases.Hangs.Stopped.class,
                FaultCases.Hangs.DifferentPlaces.class,
                FaultCases.Hangs.Busy.class,
                FaultCases.Hangs.Deaf.class,
                HangCases.Sources.class,
                HangCases.OfOneTest.class,
                HangCases.OfNestedClasses.class);
    }

    @AfterAll
    static void forget() {
        leftovers.close();
    }

    @Test
    void aStoppedRankIsNotTakenForDeadBeforeTheTimeOutAndThenNamed() {
        assertThat(run.results(FaultCases.Hangs.Stopped.class)).containsExactly("FAILED bySignal(RankContext)");
        assertThat(run.message(FaultCases.Hangs.Stopped.class, "bySignal(RankContext)"))
                .contains("rank 1: had not ended after 3000 ms (rankunit.test-timeout), and was ended; it did not"
                        + " report where it was: its process is stopped (SIGSTOP?)");
    }

    @Test
    void ranksThatWaitInDifferentPlacesAreEachToldWhere() {
        assertThat(run.results(FaultCases.Hangs.DifferentPlaces.class)).containsExactly("FAILED deadlock(RankContext)");
        assertThat(run.message(FaultCases.Hangs.DifferentPlaces.class, "deadlock(RankContext)"))
                .contains("failed on ranks 0, 1, 2")
                .containsPattern("(?s)rank 0: .*barrier.*rank 1: .*CountDownLatch.await.*rank 2: .*Semaphore.acquire");
    }

    @Test
    void aRankThatIsBusyForEverIsToldWhere() {
        assertThat(run.results(FaultCases.Hangs.Busy.class)).containsExactly("FAILED livelock(RankContext)");
        assertThat(run.message(FaultCases.Hangs.Busy.class, "livelock(RankContext)"))
                .containsPattern("(?s)rank 1: .*FaultCases\\$Hangs\\$Busy\\.livelock\\(FaultCases\\.java:\\d+\\)");
    }

    @Test
    void aRankThatIgnoresInterruptionIsEndedAllTheSame() {
        assertThat(run.results(FaultCases.Hangs.Deaf.class)).containsExactly("FAILED ignoresInterruption(RankContext)");
        assertThat(run.message(FaultCases.Hangs.Deaf.class, "ignoresInterruption(RankContext)"))
                .contains("rank 1: had not ended after 3000 ms");
    }

    @Test
    void aStreamThatHangsIsTheFailureOfItsFactoryOrTemplateAlone() {
        assertThat(run.results(HangCases.Sources.class))
                .containsExactly(
                        "SUCCESSFUL aFactory()[1]", "SUCCESSFUL bTemplate(int)[1]", "SUCCESSFUL cPasses(RankContext)");
        assertThat(run.containers(HangCases.Sources.class))
                .containsExactly(
                        "FAILED aFactory()",
                        "FAILED bTemplate(int)",
                        "SUCCESSFUL " + HangCases.Sources.class.getName());
        assertThat(EngineRun.withoutNumbers(run.message(HangCases.Sources.class, "aFactory()")))
                .contains("\n\n  ranks 0, 1 are at HangCases.java:L, and in no operation of the communicator\n")
                .contains("HangCases.hangsAfterTheFirst");
        assertThat(EngineRun.withoutNumbers(run.message(HangCases.Sources.class, "bTemplate(int)")))
                .startsWith("HangCases.Sources.bTemplate [2 ranks, a2a3sim] failed on ranks 0, 1\n")
                .contains("\n\n  ranks 0, 1 are at HangCases.java:L, and in no operation of the communicator\n")
                .contains("HangCases.hangsAfterTheFirst");
    }

    @Test
    void aHangInConstructorOrCleanUpIsTheFailureOfItsTestAlone() {
        assertThat(run.results(HangCases.OfOneTest.class))
                .containsExactly(
                        "SUCCESSFUL aPasses(RankContext)",
                        "FAILED bMade()",
                        "FAILED cLeft()",
                        "SUCCESSFUL dPasses(RankContext)");
        assertThat(EngineRun.withoutNumbers(run.message(HangCases.OfOneTest.class, "bMade()")))
                .startsWith("HangCases.OfOneTest.bMade [2 ranks, a2a3sim] failed on rank 1\n")
                .contains("\n\n  rank 0 waits for the others before the next test; rank 1 is at HangCases.java:L");
        assertThat(run.message(HangCases.OfOneTest.class, "cLeft()"))
                .contains("failed on rank 1\n", "OfOneTest.leave(");
        assertThat(run.containers(HangCases.OfOneTest.class)).allMatch(line -> line.startsWith("SUCCESSFUL "));
    }

    @Test
    void aHangOfANestedClassIsTheFailureOfThatClassAlone() {
        assertThat(run.results(HangCases.OfNestedClasses.class))
                .containsExactly(
                        "SUCCESSFUL outside(RankContext)",
                        "FAILED isNotRun()",
                        "SUCCESSFUL passes(RankContext)",
                        "SUCCESSFUL passesToo(RankContext)");
        assertThat(run.message(HangCases.OfNestedClasses.class, "isNotRun()"))
                .contains("did not run: the lifecycle of Opened failed on ranks 0, 1", "OfNestedClasses$Opened.open(");
        String closed = HangCases.OfNestedClasses.class.getName() + "$Closed";
        assertThat(run.containers(HangCases.OfNestedClasses.class))
                .filteredOn(line -> line.startsWith("FAILED "))
                .containsExactly("FAILED " + closed);
        assertThat(run.message(HangCases.OfNestedClasses.class, closed))
                .contains("the lifecycle of Closed", "failed on rank 1\n", "OfNestedClasses$Closed.close(");
    }

    @Test
    void nothingIsLeft() throws IOException {
        assertThat(run.imbalance()).isEmpty();
        assertThat(leftovers.all(9)).isEmpty();
    }
}
