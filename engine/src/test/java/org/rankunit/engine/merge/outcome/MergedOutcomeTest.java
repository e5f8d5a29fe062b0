package org.rankunit.engine.merge.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.MultipleFailuresError;
import org.opentest4j.TestAbortedException;
import org.rankunit.engine.discovery.XmlText;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;

@Tag("unit")
class MergedOutcomeTest {

    private static final List<Path> LOGS =
            List.of(Path.of("/logs/0.log"), Path.of("/logs/1.log"), Path.of("/logs/2.log"), Path.of("/logs/3.log"));
    private static final String TITLE = "ATest.adds [2 ranks, a2a3sim]";

    @Test
    void passedOnEveryRankIsPassed() {
        assertThat(merge(passed(), passed())).isEqualTo(new Verdict.Passed());
    }

    @Test
    void anAssertionOnOneRankNamesThatRankAndThoseThatPassed() {
        assertThat(messageOf(passed(), assertion("expected: <3> but was: <2>", 5)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 1

                          expected: <3> but was: <2>
                          rank 0 passed
                          log of rank 1: /logs/1.log
                        """);
    }

    /** But for the empty line with which messages of AssertJ start, since one is there already. */
    @Test
    void aMessageOfSeveralLinesIsSetInWhole() {
        assertThat(messageOf(assertion("\noutput: 1 of 2 differ\n  first [0]\n", 5), passed()))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 0

                          output: 1 of 2 differ
                            first [0]
                          rank 1 passed
                          log of rank 0: /logs/0.log
                        """);
    }

    @Test
    void anErrorIsToldWithItsType() {
        assertThat(messageOf(passed(), error("java.lang.IllegalStateException", "closed", 5)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 1

                          java.lang.IllegalStateException: closed
                          rank 0 passed
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void anAssertionWithoutAMessageIsToldWithItsType() {
        Failure bare = new Failure("java.lang.AssertionError", null, true, null, null, List.of(), null, List.of());

        assertThat(messageOf(passed(), end(new RankOutcome.Failed(bare), 5)))
                .startsWith("ATest.adds [2 ranks, a2a3sim] failed on rank 1\n\n  java.lang.AssertionError\n");
    }

    @Test
    void aReleasedRankIsNamedAsAConsequence() {
        assertThat(messageOf(released(1, 9), assertion("wrong", 5))).isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 1

                          wrong
                          rank 0 was released because rank 1 failed
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void aReleasedRankIsNeverTheCauseThoughItEndedFirst() {
        assertThat(messageOf(released(1, 1), assertion("wrong", 5)))
                .startsWith("ATest.adds [2 ranks, a2a3sim] failed on rank 1\n");
    }

    @Test
    void aRankThatWasReleasedByOneThatIsNotThereStillFailsTheTest() {
        assertThat(messageOf(released(1, 1))).isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 0

                          released because rank 1 failed: org.rankunit.comm.CommAbortedException: aborted
                          log of rank 0: /logs/0.log
                        """);
    }

    @Test
    void theFirstOfSeveralFailuresLeads() {
        assertThat(messageOf(assertion("later", 9), assertion("earlier", 5))).isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1

                          rank 1: earlier
                          rank 0: later
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void theSameFailureOnSeveralRanksIsSaidOnce() {
        assertThat(messageOf(assertion("wrong", 9), assertion("wrong", 5))).isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1

                          wrong
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void severalRanksThatOneReleasedAreNamedTogether() {
        assertThat(messageOf(released(1, 9), assertion("wrong", 5), released(1, 8)))
                .contains("\n  ranks 0, 2 were released because rank 1 failed\n");
    }

    /** Which failure a rank hears of first is chance if several ranks fail at about the same time. */
    @Test
    void ranksThatHeardOfDifferentFailuresAreNamedTogether() {
        assertThat(messageOf(released(3, 9), released(2, 8), assertion("wrong", 5), assertion("wrong", 6)))
                .contains("\n  ranks 0, 1 were released because ranks 2, 3 failed\n");
    }

    @Test
    void whatARankWasReleasedFromIsSaidWhereItIsKnown() {
        RankOutcome released = new RankOutcome.Released(
                1, failure("org.rankunit.comm.CommAbortedException", "aborted", false), "barrier #17 (A.java:42)");

        assertThat(messageOf(end(released, 9), assertion("wrong", 5)))
                .contains("\n  rank 0 was released from barrier #17 (A.java:42) because rank 1 failed\n");
    }

    @Test
    void whatAllRanksWaitForIsSaidOnceBeforeTheirStacks() {
        RankOutcome stuck =
                new RankOutcome.Unfinished("was ended; it was at\n  at a.Test", "", "rank 0 is in barrier #1");

        assertThat(messageOf(end(stuck, 1), end(stuck, 2))).isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1

                          rank 0 is in barrier #1
                          was ended; it was at
                            at a.Test
                          log of rank 0: /logs/0.log
                        """);
    }

    @Test
    void aFailureIsSaidBeforeWhatARankThatItLeftAloneWaitsFor() {
        assertThat(messageOf(
                        end(new RankOutcome.Unfinished("was ended", "", "rank 0 is in barrier #1"), 1),
                        assertion("wrong", 9)))
                .startsWith("ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1\n\n  rank 1: wrong\n");
    }

    @Test
    void aCrashLeadsThoughAnAssertionCameBeforeIt() {
        assertThat(messageOf(
                        assertion("wrong", 1),
                        end(new RankOutcome.Died("was killed by SIGSEGV (exit code 139)", "a\nb"), 9)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1

                          rank 1: its process was killed by SIGSEGV (exit code 139); its last lines:
                            a
                            b
                          rank 0: wrong
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void anAssertionLeadsOverARankThatWasGivenUp() {
        assertThat(messageOf(
                        end(new RankOutcome.Unfinished("was still running 10 s after it was released", ""), 1),
                        assertion("wrong", 9)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on ranks 0, 1

                          rank 1: wrong
                          rank 0: was still running 10 s after it was released
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void aRankThatDiedWithoutAWordSaysOnlyHow() {
        assertThat(messageOf(passed(), end(new RankOutcome.Died("exited with code 7", " "), 5)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 1

                          its process exited with code 7
                          rank 0 passed
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void aRankThatNeverCameToATestThatFailedIsNotSaidToHavePassed() {
        assertThat(messageOf(2, assertion("wrong", 5))).doesNotContain("passed");
    }

    @Test
    void severalRanksThatPassedAreNamedTogether() {
        assertThat(messageOf(passed(), assertion("wrong", 5), passed(), passed()))
                .contains("\n  ranks 0, 2, 3 passed\n");
    }

    @Test
    void anAssertionKeepsWhatWasExpectedAndWhatWas() {
        Failure failure =
                new Failure("org.opentest4j.AssertionFailedError", "m", true, "3", "2", List.of(), null, List.of());

        assertThat(causeOf(passed(), end(new RankOutcome.Failed(failure), 5)))
                .isInstanceOfSatisfying(
                        AssertionFailedError.class,
                        error -> assertThat(error.getExpected().getStringRepresentation() + " and "
                                        + error.getActual().getStringRepresentation())
                                .isEqualTo("3 and 2"));
    }

    @Test
    void anAssertionIsAFailureAndNotAnError() {
        assertThat(causeOf(passed(), assertion("wrong", 5))).isInstanceOf(AssertionError.class);
    }

    @Test
    void anExceptionIsAnErrorAndNotAFailure() {
        assertThat(causeOf(passed(), error("a.B", "m", 5)))
                .isInstanceOf(RuntimeException.class)
                .isNotInstanceOf(AssertionError.class);
    }

    @Test
    void whatItIsDoesNotDependOnTheNumberOfRanks() {
        assertThat(causeOf(error("a.B", "m", 5), error("a.B", "m", 6)))
                .isInstanceOf(RuntimeException.class)
                .satisfies(cause -> assertThat(cause.getSuppressed()).hasSize(2))
                .satisfies(cause -> assertThat(cause.getStackTrace()).hasSize(1));
        assertThat(causeOf(assertion("wrong", 5), assertion("wrong", 6))).isInstanceOf(AssertionError.class);
        RankEnd died = end(new RankOutcome.Died("exited with code 7", ""), 5);
        assertThat(causeOf(died, died)).isInstanceOf(causeOf(died, passed()).getClass());
    }

    @Test
    void theStackIsThatOfTheRank() {
        assertThat(causeOf(passed(), assertion("wrong", 5)).getStackTrace())
                .containsExactly(new StackTraceElement("a.Test", "adds", "Test.java", 12));
    }

    @Test
    void aCrashHasNoStack() {
        assertThat(causeOf(passed(), end(new RankOutcome.Died("exited with code 7", ""), 5))
                        .getStackTrace())
                .isEmpty();
    }

    @Test
    void causesAndSuppressedOnesPrintAsTheRanksOwn() {
        Failure inner = new Failure("java.io.IOException", "disk", false, null, null, List.of(), null, List.of());
        Failure outer = new Failure("a.B", "m", false, null, null, List.of(), inner, List.of(inner));
        Throwable cause = causeOf(passed(), end(new RankOutcome.Failed(outer), 5));

        assertThat(List.of(cause.getCause(), cause.getSuppressed()[0]))
                .extracting(Throwable::toString)
                .containsOnly("java.io.IOException: disk");
    }

    @Test
    void theClassOfTheCauseIsPrintedAndNotOneOfOurs() {
        assertThat(causeOf(passed(), assertion("wrong", 5)).toString())
                .startsWith("java.lang.AssertionError: " + TITLE);
        assertThat(causeOf(assertion("wrong", 5), assertion("too", 6)).toString())
                .startsWith("java.lang.AssertionError: " + TITLE);
        assertThat(causeOf(passed(), error("a.B", "m", 5)).toString()).startsWith("a.B: " + TITLE);
        assertThat(causeOf(assertion("wrong", 6), error("a.B", "m", 5)).toString())
                .startsWith("a.B: " + TITLE);
    }

    @Test
    void whatHasNoThrowableIsPrintedAsOurs() {
        RankEnd died = end(new RankOutcome.Died("exited with code 7", ""), 5);

        assertThat(causeOf(passed(), died).toString())
                .isEqualTo(causeOf(passed(), died).getClass().getName() + ": " + messageOf(passed(), died));
    }

    @Test
    void textIsFitForXml() {
        Failure inner = new Failure("a.C", "\u0000", false, null, null, List.of(), null, List.of());
        Failure odd = new Failure(
                "a.B",
                "\u001b[31mred ]]> \ufffe \ud83d",
                true,
                "\u0001",
                "\u0002",
                List.of(new Failure.Frame("a.T", "m\u0003", "T\u0004.java", 1)),
                inner,
                List.of(inner));
        RankEnd end = end(new RankOutcome.Failed(odd), 5);

        List.of(causeOf(end, passed()), causeOf(end, end)).forEach(cause -> {
            StringWriter printed = new StringWriter();
            cause.printStackTrace(new PrintWriter(printed));
            assertThat(printed.toString())
                    .contains("\\u001b[31mred ]]> \\ufffe \\ud83d", "\\u0000", "a.T.m\\u0003(T\\u0004.java:1)")
                    .isEqualTo(XmlText.of(printed.toString()));
        });
        assertThat(((AssertionFailedError) causeOf(end, passed())).getExpected().getStringRepresentation())
                .isEqualTo("\\u0001");
        assertThat(abortionOf(aborted("\u001b"), passed())).contains("\\u001b");
    }

    @Test
    void severalFailuresAreEachShown() {
        assertThat(causeOf(assertion("b", 9), assertion("a", 5)))
                .isInstanceOfSatisfying(
                        MultipleFailuresError.class,
                        error -> assertThat(error.getFailures())
                                .extracting(Throwable::getMessage)
                                .containsExactly("rank 1: a", "rank 0: b"));
    }

    @Test
    void skippedOnEveryRankForOneReasonIsSkippedForThatReason() {
        assertThat(merge(skipped("not today"), skipped("not today"))).isEqualTo(new Verdict.Skipped("not today"));
    }

    @Test
    void skippedOnEveryRankForDifferentReasonsNamesThemAll() {
        assertThat(merge(skipped("a"), skipped("b"), skipped("a")))
                .isEqualTo(new Verdict.Skipped("ranks 0, 2 skipped it: a; rank 1 skipped it: b"));
    }

    @Test
    void skippedOnSomeRanksFailsSinceTheRanksDisagree() {
        assertThat(messageOf(passed(), skipped("not here")))
                .isEqualTo(
                        "ATest.adds [2 ranks, a2a3sim]: the ranks disagree on whether to run it: rank 0 passed; rank 1"
                                + " skipped it: not here. A condition must hold on all ranks or on none; for what one rank alone can"
                                + " find out there are assumptions.");
    }

    @Test
    void aRankThatWaitedForOneThatSkippedDisagreesWithItToo() {
        assertThat(messageOf(released(1, 9), skipped("not here")))
                .contains("whether to run it: rank 1 skipped it: not here; rank 0 was released. ");
    }

    @Test
    void aRankThatIsReleasedBecauseOfAnAssumptionIsNoFailure() {
        assertThat(abortionOf(released(1, 9), aborted("no link")))
                .isEqualTo("rank 1 gave up: no link; rank 0 was released");
    }

    @Test
    void severalRanksReleasedBecauseOfAnAssumptionAreNamedTogether() {
        assertThat(abortionOf(released(1, 9), aborted("no link"), passed(), released(1, 8)))
                .isEqualTo("rank 1 gave up: no link; rank 2 passed; ranks 0, 3 were released");
    }

    @Test
    void aFailureLeadsBeforeAnAssumptionAndWhatItReleased() {
        assertThat(messageOf(released(1, 9), aborted("no link"), assertion("wrong", 5)))
                .isEqualTo("""
                        ATest.adds [2 ranks, a2a3sim] failed on rank 2

                          wrong
                          rank 0 was released because rank 1 gave up
                          rank 1 gave up: no link
                          log of rank 2: /logs/2.log
                        """);
    }

    @Test
    void anAssumptionOnOneRankIsAborted() {
        assertThat(abortionOf(passed(), aborted("no link"), passed()))
                .isEqualTo("ranks 0, 2 passed; rank 1 gave up: no link");
    }

    @Test
    void theSameAssumptionOnEveryRankIsSaidOnce() {
        assertThat(abortionOf(aborted("no link"), aborted("no link"))).isEqualTo("gave up: no link");
    }

    @Test
    void anAssumptionWithoutAMessageIsSaidAsWhatItIs() {
        Failure bare =
                new Failure("org.opentest4j.TestAbortedException", null, false, null, null, List.of(), null, List.of());

        assertThat(abortionOf(passed(), end(new RankOutcome.Aborted(bare), 1)))
                .isEqualTo("rank 0 passed; rank 1 gave up: org.opentest4j.TestAbortedException");
    }

    @Test
    void aFailureBeatsAnAssumption() {
        assertThat(merge(aborted("no link"), assertion("wrong", 5))).isInstanceOf(Verdict.Failed.class);
    }

    @Test
    void aRankThatNeverCameToTheTestFailsIt() {
        assertThat(messageOf(2, passed()))
                .isEqualTo(
                        "ATest.adds [2 ranks, a2a3sim] did not end on every rank: rank 0 passed; rank 1 did not run it");
    }

    private static String messageOf(RankEnd... ends) {
        return String.valueOf(causeOf(ends).getMessage());
    }

    private static String messageOf(int worldSize, RankEnd... ends) {
        return String.valueOf(failed(merged(worldSize, ends)).cause().getMessage());
    }

    private static Throwable causeOf(RankEnd... ends) {
        return failed(merge(ends)).cause();
    }

    private static Verdict.Failed failed(Verdict verdict) {
        assertThat(verdict).isInstanceOf(Verdict.Failed.class);
        return (Verdict.Failed) verdict;
    }

    private static String abortionOf(RankEnd... ends) {
        Function<Verdict, Throwable> cause = verdict -> ((Verdict.Aborted) verdict).cause();
        assertThat(merge(ends)).extracting(cause).isInstanceOf(TestAbortedException.class);
        return String.valueOf(cause.apply(merge(ends)).getMessage());
    }

    private static Verdict merge(RankEnd... ends) {
        return merged(ends.length, ends);
    }

    @Test
    void aPhaseIsNamedUnlessItIsTheBodyOrTheFailureSaysSo() {
        for (Phase phase : Phase.values()) {
            boolean named = !List.of(Phase.RUN, Phase.BARRIER, Phase.VERIFY).contains(phase);
            RankOutcome failed = new RankOutcome.Failed(failure("java.io.IOException", "no more", false), "", 0, phase);

            assertThat(messageOf(1, end(failed, 1)))
                    .contains((named ? "\n  in the phase '" + phase.text() + "': " : "\n  ")
                            + "java.io.IOException: no more\n");
        }
    }

    @Test
    void theNodesOfTheRanksThatFailedAreNamedUnlessTheyAreThisMachine() {
        RankEnd failed = end(new RankOutcome.Failed(failure("java.lang.Error", "no", false), "", 0, Phase.RUN), 1);
        List<DeviceRef> devices = List.of(
                new DeviceRef("node1", 0), new DeviceRef("node1", 1), new DeviceRef("node2", 0), DeviceRef.here(0));

        assertThat(firstLine(devices, passed(), failed)).endsWith("failed on rank 1 (node1)");
        assertThat(firstLine(devices, failed, failed, failed)).endsWith("failed on ranks 0, 1, 2 (node1, node2)");
        assertThat(firstLine(devices, passed(), passed(), passed(), failed)).endsWith("failed on rank 3");
    }

    private static String firstLine(List<DeviceRef> devices, RankEnd... ends) {
        Verdict verdict = merged(devices, ends.length, ends);
        return String.valueOf(((Verdict.Failed) verdict).cause().getMessage())
                .lines()
                .findFirst()
                .orElseThrow();
    }

    private static Verdict merged(int worldSize, RankEnd... ends) {
        return merged(Collections.nCopies(worldSize, DeviceRef.here(0)), worldSize, ends);
    }

    private static Verdict merged(List<DeviceRef> devices, int worldSize, RankEnd... ends) {
        TreeMap<Integer, RankEnd> byRank = new TreeMap<>();
        for (int rank = 0; rank < ends.length; rank++) {
            byRank.put(rank, ends[rank]);
        }
        return new MergedOutcome(TITLE, worldSize, byRank, devices, LOGS, List.of(), Optional.empty(), List.of())
                .verdict();
    }

    private static RankEnd passed() {
        return end(new RankOutcome.Passed(), 1);
    }

    private static RankEnd skipped(String reason) {
        return end(new RankOutcome.Skipped(reason), 1);
    }

    private static RankEnd aborted(String message) {
        return end(new RankOutcome.Aborted(failure("org.opentest4j.TestAbortedException", message, false)), 1);
    }

    private static RankEnd assertion(String message, long when) {
        return end(new RankOutcome.Failed(failure("java.lang.AssertionError", message, true)), when);
    }

    private static RankEnd error(String type, String message, long when) {
        return end(new RankOutcome.Failed(failure(type, message, false)), when);
    }

    private static RankEnd released(int by, long when) {
        return end(
                new RankOutcome.Released(by, failure("org.rankunit.comm.CommAbortedException", "aborted", false)),
                when);
    }

    private static RankEnd end(RankOutcome outcome, long when) {
        return new RankEnd(outcome, List.of(), when, 0, when);
    }

    private static Failure failure(String type, String message, boolean assertion) {
        return new Failure(
                type,
                message,
                assertion,
                null,
                null,
                List.of(new Failure.Frame("a.Test", "adds", "Test.java", 12)),
                null,
                List.of());
    }
}
