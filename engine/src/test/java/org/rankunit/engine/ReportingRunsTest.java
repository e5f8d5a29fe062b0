package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.cases.ReportCases;
import org.rankunit.engine.cases.ReportCases.Aborts;
import org.rankunit.engine.cases.ReportCases.Unreportable;

/** Tests that spoil the report or the communicator of their rank: each has its own result, and the next one is innocent. */
@Tag("ranks")
@Timeout(120)
class ReportingRunsTest {

    private static Path folder = Path.of("");
    private static EngineRun run;
    private static Notes notes;

    @BeforeAll
    static void runAll(@TempDir Path temp) {
        folder = temp;
        notes = Notes.in(temp);
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "2", "rankunit.max-parallel", "1"),
                Unreportable.class,
                Aborts.class,
                ReportCases.AbortsInAWait.class,
                ReportCases.AbortsAtItsEnd.class,
                ReportCases.NextClass.class);
    }

    @AfterAll
    static void forget() {
        notes.close();
    }

    @Test
    void eachTestHasItsOwnResult() {
        assertThat(run.results(Unreportable.class))
                .as("%s", failuresOfInnocents())
                .containsExactly(
                        "FAILED withoutOutput(RankContext)",
                        "FAILED outputThatCannotBeFlushed(RankContext)",
                        "FAILED failsWithoutErrors(RankContext)",
                        "SUCCESSFUL manyGoldens()",
                        "FAILED failsAfterManyGoldens()",
                        "FAILED endlessMessage(RankContext)",
                        "FAILED endlessMessages(RankContext)",
                        "FAILED halfACharacter(RankContext)",
                        "FAILED exceptionThatTellsNothing(RankContext)",
                        "FAILED causesInACircle(RankContext)",
                        "FAILED closesItsCommunicator(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
        assertThat(run.containers(Unreportable.class)).allMatch(line -> line.startsWith("SUCCESSFUL "));
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void whatKeptTheRankFromReportingIsTheFailureOfTheTest() {
        assertThat(told("withoutOutput"))
                .contains(
                        "failed on rank 1\n", "could not report how the test ended (it passed)", "System.out is null");
        assertThat(told("outputThatCannotBeFlushed"))
                .contains("failed on rank 1\n", "could not report how the test ended (it passed)")
                .contains("java.lang.IllegalStateException: no flush here");
        assertThat(told("failsWithoutErrors")).contains("failed on rank 1\n", "(it failed)", "System.err is null");
        assertThat(run.failure(Unreportable.class, "failsWithoutErrors(RankContext)"))
                .hasStackTraceContaining("the failure of the test itself");
    }

    @Test
    void goldenChecksBeyondTheBoundAreCountedInMessageEntryAndReport() throws IOException {
        assertThat(run.reportEntries()).contains("manyGoldens() {rankunit.left-out=rank 1: 119000 golden checks}");
        assertThat(run.message(Unreportable.class, "failsAfterManyGoldens()"))
                .contains("last: 1 of 2 elements differ", "rank 0: 119000 golden checks left out");
        assertThat(Files.readString(folder.resolve("out/report.json")))
                .contains("\"leftOut\" : \"119000 golden checks\"", "\"name\" : \"last\"");
    }

    @Test
    void aMessageOfAnyLengthIsCutAndTheCutCounted() {
        assertThat(told("endlessMessage"))
                .hasSizeLessThan(1 << 20)
                .contains("failed on rank 1\n", "endless ")
                .containsPattern("… \\(177\\d+ more characters\\)");
        assertThat(told("endlessMessages"))
                .contains("failed on rank 1\n", "first", "rank 1: 969 causes or suppressed exceptions")
                .hasSizeLessThan(1 << 20);
    }

    @Test
    void halfACharacterIsToldToo() {
        assertThat(told("halfACharacter")).contains("failed on rank 1\n", "half of ");
    }

    @Test
    void anExceptionWhoseMethodsThrowIsToldByItsClass() {
        assertThat(told("exceptionThatTellsNothing"))
                .contains(
                        "failed on rank 1\n",
                        "ReportCases$TellsNothing: (its getMessage() threw java.lang.LinkageError)");
    }

    @Test
    void causesInACircleAreToldOnce() {
        assertThat(told("causesInACircle")).contains("failed on rank 1\n", "outer");
        assertThat(run.failure(Unreportable.class, "causesInACircle(RankContext)"))
                .hasStackTraceContaining("inner");
    }

    @Test
    void aTestThatClosesItsCommunicatorFails() {
        assertThat(told("closesItsCommunicator"))
                .contains("failed on rank 1\n", "the communicator of this rank was closed")
                .contains("rank 0 was released from barrier");
    }

    @Test
    void aTestThatCatchesItsTimeOutFailsAndTheNextOneIsInnocent() throws IOException {
        assertThat(run.results(Aborts.class))
                .as("%s", failuresOfInnocents())
                .containsExactly(
                        "FAILED catchesItsTimeout(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext, TestInfo)",
                        "SUCCESSFUL isAbortedAfterwards(RankContext, TestInfo)",
                        "SUCCESSFUL passesOnNewRanks(RankContext, TestInfo)");
        assertThat(run.message(Aborts.class, "catchesItsTimeout(RankContext)"))
                .contains("failed on rank 0\n", "this rank has left its communicator aborted")
                .containsPattern("rank 0 waited \\d+ ms in barrier #\\d+; rank 1 had not arrived");
        assertThat(notes.of(0, "caught ")).containsExactly("TIMEOUT");
    }

    @Test
    void aRankThatIsInAWaitWhenItsOwnThreadAbortsIsToBlameAndNotReleasedByItself() {
        assertThat(run.message(ReportCases.AbortsInAWait.class, "isAbortedInItsOwnBarrier(RankContext)"))
                .contains("failed on rank 1\n", "aborted because of rank 1: struck", "rank 0 passed")
                .doesNotContain("released");
    }

    @Test
    void ranksWhoseCommunicatorIsAbortedBetweenTwoTestsAreReplaced() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(notes.of(rank, "isAbortedAfterwards ")).isEqualTo(notes.of(rank, "thenPasses "));
            assertThat(notes.of(rank, "passesOnNewRanks ")).isNotEqualTo(notes.of(rank, "thenPasses "));
        }
    }

    @Test
    void ranksWhoseCommunicatorIsAbortedBetweenTwoClassesAreReplaced() throws IOException {
        assertThat(run.results(ReportCases.AbortsAtItsEnd.class))
                .containsExactly("SUCCESSFUL passes(RankContext, TestInfo)");
        assertThat(run.results(ReportCases.NextClass.class))
                .containsExactly("SUCCESSFUL isInnocent(RankContext, TestInfo)");
        assertThat(notes.of(0, "isInnocent ")).isNotEqualTo(notes.of(0, "passes "));
    }

    private static List<String> failuresOfInnocents() {
        return run.messages().stream()
                .filter(message -> message.contains("asses"))
                .toList();
    }

    private static String told(String test) {
        return run.message(Unreportable.class, test + "(RankContext)");
    }
}
