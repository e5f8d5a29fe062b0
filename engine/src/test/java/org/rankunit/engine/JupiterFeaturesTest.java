package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestIdentifier;
import org.opentest4j.MultipleFailuresError;
import org.rankunit.engine.cases.DynamicCases;
import org.rankunit.engine.cases.ExtensionCases;
import org.rankunit.engine.cases.LifecycleCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.cases.SourceCases;

/** What Jupiter offers to a test, in device tests on two ranks each: one run, its merged results, and what the ranks did. */
@Tag("ranks")
@Timeout(300)
class JupiterFeaturesTest {

    private static EngineRun run;
    private static Notes notes;

    @BeforeAll
    static void runAll(@TempDir Path folder) {
        notes = Notes.in(folder);
        run = EngineRun.of(
                folder,
                Map.of(
                        "rankunit.sim.devices", "4",
                        "junit.jupiter.extensions.autodetection.enabled", "true",
                        // Off inside the ranks, whatever a project has for its other tests.
                        "junit.jupiter.execution.parallel.enabled", "true",
                        "junit.jupiter.execution.parallel.mode.default", "concurrent"),
                LifecycleCases.PerMethod.class,
                LifecycleCases.Nesting.class,
                LifecycleCases.Shuffled.class,
                LifecycleCases.Names.class,
                SourceCases.Sources.class,
                DynamicCases.Factories.class,
                ExtensionCases.Extended.class,
                ExtensionCases.Conditions.class,
                ExtensionCases.Watched.class,
                ExtensionCases.DisabledClass.class,
                ExtensionCases.Failing.class);
    }

    @AfterAll
    static void forgetTheNotes() {
        notes.close();
    }

    @Test
    void theInputOfARankIsEmpty() {
        assertThat(run.results(ExtensionCases.Extended.class)).contains("SUCCESSFUL readsItsInputToTheEnd()");
    }

    @Test
    void lifecycleMethodsRunOnEachRankInJupitersOrder() throws IOException {
        assertThat(onBothRanks("life: "))
                .containsExactly(
                        "base opens",
                        "opens",
                        "base prepares",
                        "own",
                        "instance used 1 times",
                        "base prepares",
                        "promised",
                        "instance used 1 times",
                        "base prepares",
                        "inherited",
                        "instance used 1 times",
                        "closes");
    }

    @Test
    void testsDoNotRunInParallelInARank() throws IOException {
        assertThat(onBothRanks("thread: ")).containsOnly("main");
    }

    @Test
    void inheritedTestsAndThoseOfInterfacesHaveResults() {
        assertThat(run.results(LifecycleCases.PerMethod.class))
                .containsExactly(
                        "SUCCESSFUL own()", "SUCCESSFUL promised(RankContext)", "SUCCESSFUL inherited(RankContext)");
    }

    @Test
    void nestedClassesShareTheInstanceAroundThemAndKeepTheirOrder() throws IOException {
        assertThat(onBothRanks("nest: "))
                .containsExactly("first, test 1", "deep, test 2", "later opens", "second, test 3", "later closes");
        assertThat(run.results(LifecycleCases.Nesting.class))
                .containsExactly("SUCCESSFUL first()", "SUCCESSFUL deep(RankContext)", "SUCCESSFUL second()");
    }

    @Test
    void aRandomOrderIsTheSameOnAllRanks() throws IOException {
        assertThat(onBothRanks("shuffled: "))
                .containsExactlyInAnyOrder("a(TestInfo)", "b(TestInfo)", "c(TestInfo)", "d(TestInfo)");
        assertThat(run.results(LifecycleCases.Shuffled.class))
                .hasSize(4)
                .allMatch(line -> line.startsWith("SUCCESSFUL"));
    }

    @Test
    void namesAndTagsAreThoseOfJupiter() throws IOException {
        assertThat(run.displayNames(LifecycleCases.Names.class))
                .containsExactly("adds all inputs (TestInfo)", "summiert über alle Ränge");
        assertThat(onBothRanks("name: ")).containsExactly("adds all inputs (TestInfo) [fast]");
    }

    @Test
    void tagsSelect() {
        assertThat(EngineRun.of(
                        EngineRun.discover(
                                List.of(selectClass(LifecycleCases.Names.class)), TagFilter.includeTags("fast")),
                        "rankunit"))
                .filteredOn(TestIdentifier::isTest)
                .extracting(TestIdentifier::getDisplayName)
                .containsExactly("adds all inputs (TestInfo)");
    }

    @Test
    void everySourceOfArgumentsGivesTheSameOnEachRank() throws IOException {
        assertThat(onBothRanks("value ")).containsExactly("a", "b");
        assertThat(onBothRanks("enum ")).containsExactly("SECONDS", "DAYS");
        assertThat(onBothRanks("method ")).containsExactly("1 [x]", "2 []");
        assertThat(onBothRanks("csv ")).containsExactly("1 a, b", "2 null");
        assertThat(onBothRanks("csvFile ")).containsExactly("small 0.5", "large 64.0");
        assertThat(onBothRanks("arguments ")).containsExactly("Argument");
        assertThat(onBothRanks("null ")).containsExactly("null", "''", "'c'");
        assertThat(onBothRanks("repeated ")).containsExactly("1", "2");
        assertThat(onBothRanks("template ")).containsExactly("1", "2");
    }

    @Test
    void everyInvocationHasOneResult() {
        assertThat(run.results(SourceCases.Sources.class))
                .allMatch(line -> line.startsWith("SUCCESSFUL "))
                .hasSize(2 + 2 + 2 + 2 + 2 + 1 + 3 + 2 + 2);
    }

    @Test
    void invocationsHaveTheirNames() {
        assertThat(run.displayNames(SourceCases.Sources.class))
                .contains("[1] value=a", "1 of a, b", "2 of 2", "with 1")
                .containsAnyOf("[1] argument=Argument[rank=0]", "[1] argument=Argument[rank=1]");
    }

    @Test
    void factoriesRunTheirContainersAndTests() throws IOException {
        assertThat(onBothRanks("dynamic ")).containsExactlyInAnyOrder("leaf", "first", "deep", "alone");
        assertThat(run.displayNames(DynamicCases.Factories.class))
                .containsExactlyInAnyOrder("leaf", "first", "deep", "alone");
        assertThat(run.results(DynamicCases.Factories.class)).allMatch(line -> line.startsWith("SUCCESSFUL "));
        assertThat(run.containers(DynamicCases.Factories.class))
                .allMatch(line -> line.startsWith("SUCCESSFUL "))
                .hasSize("tree single none outer inner empty Factories".split(" ", -1).length);
    }

    @Test
    void extensionsOfAllKindsOfRegistrationRunOnEachRank() throws IOException {
        assertThat(notes.of(1, "ext: "))
                .contains(
                        "static field before parameter(String, RankContext)",
                        "field before parameter(String, RankContext)",
                        "a word on rank 1");
        assertThat(notes.of(1, "detected: ")).contains("before parameter(String, RankContext)");
    }

    @Test
    void temporaryFoldersAreOthersOnEachRankAndGoneAfterwards() throws IOException {
        List<String> folders = new ArrayList<>(notes.of(0, "folder: "));
        folders.addAll(notes.of(1, "folder: "));

        assertThat(folders)
                .hasSize(4)
                .doesNotHaveDuplicates()
                .allSatisfy(each -> assertThat(Path.of(each)).doesNotExist());
    }

    @Test
    void reportEntriesAreThoseOfAllRanks() {
        assertThat(run.reportEntries())
                .containsExactlyInAnyOrder(
                        "reports(TestReporter, RankContext) {rank 0: loss=0.0}",
                        "reports(TestReporter, RankContext) {rank 1: loss=0.1}",
                        "reports(TestReporter, RankContext) {rank 0: value=the plain text of rank 0}",
                        "reports(TestReporter, RankContext) {rank 1: value=the plain text of rank 1}");
    }

    @Test
    void conditionsAreEvaluatedInTheRanks() throws IOException {
        assertThat(onBothRanks("condition: ")).containsExactly("enabled");
        assertThat(run.results(ExtensionCases.Conditions.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL enabled()",
                        "SKIPPED (@DisabledIf(\"onRanks\") evaluated to true) disabledOnRanks()",
                        "SKIPPED (System property [cases.no-such-property] does not exist) disabledByAProperty()");
    }

    @Test
    void repetitionsBeyondTheFailureThresholdAreSkipped() throws IOException {
        assertThat(run.results(ExtensionCases.Watched.class))
                .containsExactlyInAnyOrder(
                        "FAILED repeated(RankContext)[1]",
                        "FAILED repeated(RankContext)[2]",
                        "SKIPPED (Failure threshold [2] exceeded) repeated(RankContext)[3]",
                        "SKIPPED (Failure threshold [2] exceeded) repeated(RankContext)[4]",
                        "SUCCESSFUL thenPasses(RankContext)",
                        "SUCCESSFUL values(int)[1]",
                        "SUCCESSFUL values(int)[2]",
                        "SUCCESSFUL made(RankContext)[1]",
                        "SKIPPED (for good) disabled()");
        assertThat(onBothRanks("threshold: ")).hasSize(2);
    }

    @Test
    void watchersHearOfEachTestOnceAndOnlyWhatHappenedToIt() throws IOException {
        assertThat(onBothRanks("watch: "))
                .containsExactlyInAnyOrder(
                        "repetition 1 of 4 failed",
                        "repetition 2 of 4 failed",
                        "thenPasses(RankContext) successful",
                        "value 1 successful",
                        "value 2 successful",
                        "disabled() disabled for good");
    }

    @Test
    void aDisabledClassSkipsItsTests() {
        assertThat(run.results(ExtensionCases.DisabledClass.class))
                .containsExactlyInAnyOrder("SKIPPED (not this year) one()", "SKIPPED (not this year) two()");
    }

    @Test
    void severalAssertionsOfOneRankAreAllTold() {
        assertThat(run.message(ExtensionCases.Failing.class, "severalAssertions(RankContext)"))
                .contains("failed on rank 1")
                .contains("sums (2 failures)")
                .contains("first ==> expected: <0> but was: <1>")
                .contains("third ==> expected: <0> but was: <1>")
                .contains("rank 0 passed");
        assertThat(run.failure(ExtensionCases.Failing.class, "severalAssertions(RankContext)"))
                .isNotInstanceOf(MultipleFailuresError.class);
    }

    @Test
    void aTimeoutOfJupiterFailsItsRank() {
        assertThat(run.message(ExtensionCases.Failing.class, "takesTooLongOnRank1(RankContext)"))
                .contains("failed on rank 1")
                .contains("takesTooLongOnRank1(org.rankunit.RankContext) timed out after 300 milliseconds")
                .contains("rank 0 passed");
    }

    @Test
    void whatWasStartedWasFinishedOnce() {
        assertThat(run.imbalance()).isEmpty();
    }

    /** What both ranks noted alike. */
    private static List<String> onBothRanks(String prefix) throws IOException {
        assertThat(notes.of(0, prefix)).isEqualTo(notes.of(1, prefix));
        return notes.of(0, prefix);
    }
}
