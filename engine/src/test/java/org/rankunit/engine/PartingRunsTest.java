package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.DynamicCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.cases.PartingCases;

/** Ranks that do not do the same: one gives up, skips, or registers other tests than the other. */
@Tag("ranks")
@Timeout(120)
class PartingRunsTest {

    private static EngineRun run;
    private static Notes notes;

    @BeforeAll
    static void runAll(@TempDir Path folder) {
        notes = Notes.in(folder);
        run = EngineRun.of(
                folder,
                Map.of("rankunit.sim.devices", "4"),
                PartingCases.Assumptions.class,
                PartingCases.AssumptionOfClass.class,
                PartingCases.AssumptionOfFactory.class,
                PartingCases.Conditions.class,
                PartingCases.ConditionBeforeOurs.class,
                PartingCases.SlowBeforeDisabled.class,
                DynamicCases.DifferentCounts.class,
                DynamicCases.DifferentKinds.class,
                DynamicCases.DifferentNames.class);
    }

    @AfterAll
    static void forgetTheNotes() {
        notes.close();
    }

    @Test
    void anAssumptionIsNoFailureWhicheverRanksGiveUp() {
        assertThat(run.results(PartingCases.Assumptions.class))
                .containsExactly(
                        "ABORTED onAllRanks()",
                        "ABORTED onRank1WhileRank0Waits(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)",
                        "ABORTED invocationOnRank1(int, RankContext)[1]",
                        "SUCCESSFUL invocationOnRank1(int, RankContext)[2]",
                        "FAILED rank0Fails(RankContext)");
    }

    @Test
    void anAssumptionSaysWhichRanksGaveUpAndWhatBecameOfTheOthers() {
        assertThat(run.message(PartingCases.Assumptions.class, "onAllRanks()"))
                .isEqualTo("gave up: Assumption failed: no link anywhere");
        assertThat(run.message(PartingCases.Assumptions.class, "onRank1WhileRank0Waits(RankContext)"))
                .isEqualTo("rank 1 gave up: Assumption failed: no link; rank 0 was released");
        assertThat(run.message(PartingCases.Assumptions.class, "invocationOnRank1(int, RankContext)[1]"))
                .isEqualTo("rank 0 passed; rank 1 gave up: Assumption failed: not for 1");
    }

    @Test
    void aRankThatFailsByItselfLeadsBeforeOneThatGaveUp() {
        assertThat(run.message(PartingCases.Assumptions.class, "rank0Fails(RankContext)"))
                .startsWith("""
                        PartingCases.Assumptions.rank0Fails [2 ranks, a2a3sim] failed on rank 0

                          java.lang.IllegalStateException: broken
                          rank 1 gave up: Assumption failed: no link
                        """);
    }

    @Test
    void ranksThatGiveUpAlikeAreKeptAndThoseThatPartedAreReplaced() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            List<String> processes = notes.of(rank, "process ");

            assertThat(processes).hasSize(3);
            assertThat(processes.get(1)).isEqualTo(processes.get(0)).isNotEqualTo(processes.get(2));
        }
    }

    @Test
    void cleanUpRunsOnTheRankThatGaveUpAndOnTheReleasedOne() throws IOException {
        assertThat(notes.of(0, "cleanUp")).hasSize(6);
        assertThat(notes.of(1, "cleanUp")).hasSize(6);
        assertThat(notes.of(0, "closes")).hasSameSizeAs(notes.of(1, "closes"));
    }

    @Test
    void whatTheReleaseBrokeInCleanUpFailsNoClass() {
        assertThat(run.containers(PartingCases.Assumptions.class)).allMatch(line -> line.startsWith("SUCCESSFUL "));
    }

    @Test
    void anAssumptionInBeforeAllOfOneRankAbortsTheTestsOfTheClass() {
        assertThat(run.results(PartingCases.AssumptionOfClass.class)).containsExactly("ABORTED a()");
        assertThat(run.message(PartingCases.AssumptionOfClass.class, "a()"))
                .isEqualTo("rank 1 gave up: Assumption failed: no link; rank 0 was released");
        assertThat(run.containers(PartingCases.AssumptionOfClass.class))
                .containsExactly("ABORTED p(int)", "SUCCESSFUL " + PartingCases.AssumptionOfClass.class.getName());
    }

    @Test
    void anAssumptionOfAFactoryOnOneRankAbortsItAndItsTests() {
        assertThat(run.message(PartingCases.AssumptionOfFactory.class, "tests(RankContext)[1]"))
                .isEqualTo("rank 0 did not run it; rank 1 gave up: Assumption failed: no tests");
        assertThat(run.message(PartingCases.AssumptionOfFactory.class, "tests(RankContext)"))
                .isEqualTo("rank 0 passed; rank 1 gave up: Assumption failed: no tests");
    }

    @Test
    void aConditionOnOneRankIsADisagreement() {
        assertThat(run.message(PartingCases.Conditions.class, "ofTest(RankContext)"))
                .isEqualTo("PartingCases.Conditions.ofTest [2 ranks, a2a3sim]: the ranks disagree on whether to run it:"
                        + " rank 1 skipped it: @DisabledIf(\"org.rankunit.engine.cases.PartingCases#isRank1\") evaluated"
                        + " to true; rank 0 was released. A condition must hold on all ranks or on none; for what one"
                        + " rank alone can find out there are assumptions.");
    }

    @Test
    void aConditionFoundBeforeOursOnOneRankIsADisagreementToo() {
        assertThat(run.message(PartingCases.ConditionBeforeOurs.class, "ofTest(RankContext)"))
                .contains("rank 0 was about to run it; rank 1 skipped it: @DisabledIf(");
        assertThat(run.results(PartingCases.ConditionBeforeOurs.class))
                .containsExactlyInAnyOrder("FAILED ofTest(RankContext)", "SUCCESSFUL thenPasses(RankContext)");
    }

    @Test
    void everythingInAContainerThatOneRankSkipsDisagrees() {
        assertThat(run.results(PartingCases.Conditions.class))
                .containsExactlyInAnyOrder(
                        "FAILED ofTest(RankContext)",
                        "FAILED ofTemplate(int)[1]",
                        "FAILED ofTemplate(int)[2]",
                        "FAILED a()",
                        "FAILED b()");
    }

    @Test
    void aRankThatComesToADisabledClassLaterIsNotReleased() throws IOException {
        assertThat(run.results(PartingCases.SlowBeforeDisabled.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL slowOnRank0(RankContext)",
                        "SUCCESSFUL onTheSameRanks(RankContext)",
                        "SKIPPED (not today) never()");
        assertThat(notes.of(0, "slow ")).hasSize(2);
        assertThat(notes.of(0, "slow ").get(0)).isEqualTo(notes.of(0, "slow ").get(1));
    }

    @Test
    void aFactoryThatRegistersMoreOnOneRankFailsWithBothLists() {
        assertThat(run.message(DynamicCases.DifferentCounts.class, "oneMoreOnRank1(RankContext)"))
                .isEqualTo("""
                        DynamicCases.DifferentCounts.oneMoreOnRank1 [2 ranks, a2a3sim]: the ranks registered different tests:
                          rank 0: "number 1", "number 2"
                          rank 1: "number 1", "number 2", "number 3"
                        What a rank runs must not depend on its number, on chance or on time.""");
        assertThat(run.results(DynamicCases.DifferentCounts.class))
                .containsExactly(
                        "SUCCESSFUL oneMoreOnRank1(RankContext)[1]",
                        "SUCCESSFUL oneMoreOnRank1(RankContext)[2]",
                        "FAILED oneMoreOnRank1(RankContext)[3]",
                        "SUCCESSFUL between(RankContext)",
                        "SUCCESSFUL oneLessOnRank0(int, RankContext)[1]",
                        "FAILED oneLessOnRank0(int, RankContext)[2]",
                        "SUCCESSFUL innocent(RankContext)");
    }

    @Test
    void aTemplateWithMoreInvocationsOnOneRankFailsWithBothLists() {
        assertThat(run.message(DynamicCases.DifferentCounts.class, "oneLessOnRank0(int, RankContext)"))
                .contains("the ranks registered different tests:\n  rank 0: \"[1] ")
                .contains("\n  rank 1: \"[1] ", "\", \"[2] ");
        assertThat(run.message(DynamicCases.DifferentCounts.class, "oneLessOnRank0(int, RankContext)[2]"))
                .contains("rank 0 DynamicCases.DifferentCounts.innocent [2 ranks, a2a3sim]")
                .contains("rank 1 DynamicCases.DifferentCounts.oneLessOnRank0 [2] ");
    }

    @Test
    void whatFollowsTestsOfOneRankAloneRunsOnTheSameRanks() throws IOException {
        for (int rank = 0; rank < 2; rank++) {
            assertThat(notes.of(rank, "unequal ")).hasSize(2);
            assertThat(notes.of(rank, "unequal ").get(0))
                    .isEqualTo(notes.of(rank, "unequal ").get(1));
        }
    }

    @Test
    void aTestAndAContainerAtOnePlaceAreBothRefused() throws IOException {
        assertThat(run.message(DynamicCases.DifferentKinds.class, "ofItsRank(RankContext)"))
                .contains(
                        "the ranks registered different tests:\n  rank 0: \"inner\", \"same\"\n  rank 1: \"outer\", ");
        assertThat(run.results(DynamicCases.DifferentKinds.class))
                .containsExactlyInAnyOrder(
                        "FAILED ofItsRank(RankContext)[1]",
                        "FAILED ofItsRank(RankContext)[1][1]",
                        "SUCCESSFUL ofItsRank(RankContext)[2]",
                        "SUCCESSFUL innocent(RankContext)");
        assertThat(notes.of(0, "dynamic inner")).isEmpty();
        assertThat(notes.of(1, "dynamic inner")).isEmpty();
    }

    @Test
    void dynamicTestsOfDifferentNamesAtOnePlaceFailAndAreNotRun() throws IOException {
        assertThat(run.message(DynamicCases.DifferentNames.class, "ofItsRank(RankContext)"))
                .contains("  rank 0: \"same\", \"of rank 0\", \"same again\"\n")
                .contains("  rank 1: \"same\", \"of rank 1\", \"same again\"\n");
        assertThat(run.message(DynamicCases.DifferentNames.class, "ofItsRank(RankContext)[2]"))
                .contains("different tests at this place: rank ")
                .contains("rank 0 \"of rank 0\"", "rank 1 \"of rank 1\"");
        assertThat(run.results(DynamicCases.DifferentNames.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL ofItsRank(RankContext)[1]",
                        "FAILED ofItsRank(RankContext)[2]",
                        "SUCCESSFUL ofItsRank(RankContext)[3]");
        assertThat(notes.of(0, "dynamic of rank")).isEmpty();
        assertThat(notes.of(1, "dynamic of rank")).isEmpty();
    }

    @Test
    void whatWasStartedWasFinishedOnce() {
        assertThat(run.imbalance()).isEmpty();
    }
}
