package org.rankunit.engine.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;

/** Plays what ranks say, and looks at what JUnit is told. */
@Tag("unit")
class GroupMergeTest {

    private static final RankOutcome PASSED = new RankOutcome.Passed();
    private static final RankOutcome NOT_RUN = new RankOutcome.NotRun();
    private static final RankOutcome DIED = new RankOutcome.Died("exited with code 7", "");

    @DeviceCount(2)
    static class Plain {

        @Test
        void a() {}

        @Test
        void b() {}

        @Test
        void c() {}
    }

    @DeviceCount(2)
    static class WithNested {

        @Test
        void outer() {}

        @Nested
        class Inner {

            @Test
            void inner() {}
        }
    }

    @DeviceCount(2)
    static class Template {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void p(int value) {}
    }

    @DeviceCount(2)
    static class Factory {

        @TestFactory
        Stream<DynamicTest> f() {
            return Stream.empty();
        }
    }

    private final Told told = new Told();
    private final List<TestResult> reported = new ArrayList<>();
    private int groups;

    private ClassPlan classPlan = new ClassPlan(new EngineDescriptor(UniqueId.forEngine("none"), "none"), List.of());
    private ClassTree tree = new ClassTree(classPlan, told);
    private GroupMerge merge = of(Plain.class);

    @BeforeEach
    void aGroupBegins() {
        merge.begin(group());
    }

    @Test
    void theClassStartsBeforeItsFirstTestAndFinishesAfterItsLast() {
        both("a()", PASSED);
        both("b()", PASSED);
        both("c()", PASSED);
        merge.end();
        tree.close();

        assertThat(told.lines)
                .containsExactly(
                        "start " + Plain.class.getName(),
                        "start a()",
                        "SUCCESSFUL a()",
                        "start b()",
                        "SUCCESSFUL b()",
                        "start c()",
                        "SUCCESSFUL c()",
                        "SUCCESSFUL " + Plain.class.getName());
    }

    @Test
    void aTestHasItsResultOnlyWhenAllRanksHaveEndedIt() {
        enter("a()");
        ended(0, "a()", PASSED);

        assertThat(told.results()).isEmpty();
    }

    @Test
    void whatHasItsResultDoesNotRemain() {
        both("a()", PASSED);

        assertThat(merge.remaining()).extracting(TestSelection::uniqueId).containsExactly(id("b()"), id("c()"));
    }

    @Test
    void afterAFailureTheTestsThatDidNotRunRemain() {
        both("a()", PASSED);
        enter("b()");
        ended(1, "b()", failed("wrong"));
        ended(0, "b()", new RankOutcome.Released(1, failure("released")));
        ended(0, "c()", NOT_RUN);
        ended(1, "c()", NOT_RUN);
        merge.end();

        assertThat(merge.remaining()).extracting(TestSelection::uniqueId).containsExactly(id("c()"));
    }

    @Test
    void theNextGroupGivesWhatRemains() {
        both("a()", PASSED);
        enter("b()");
        ended(0, "b()", DIED);
        merge.end();
        merge.begin(group());
        both("c()", PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("SUCCESSFUL a()", "FAILED b()", "SUCCESSFUL c()");
    }

    @Test
    void aTestThatAllRanksEnteredAndOneDiedInFails() {
        enter("a()");
        ended(1, "a()", DIED);
        ended(0, "a()", new RankOutcome.Released(1, failure("released")));
        merge.end();

        assertThat(told.headlines()).containsExactly("GroupMergeTest.Plain.a [2 ranks, a2a3sim] failed on rank 1");
    }

    @Test
    void aRankThatDiesBeforeAnyTestFailsThemAll() {
        merge.endedOutsideTests(1, DIED);
        merge.end();

        assertThat(told.headlines())
                .containsExactly(
                        blamed("a", "the lifecycle of GroupMergeTest$Plain failed on rank 1"),
                        blamed("b", "the lifecycle of GroupMergeTest$Plain failed on rank 1"),
                        blamed("c", "the lifecycle of GroupMergeTest$Plain failed on rank 1"));
    }

    @Test
    void aBeforeAllThatFailsOnOneRankFailsAllTestsOfItsClass() {
        merge.ended(1, endedOf(classId(), failed("no link")));
        ended(0, "a()", NOT_RUN);
        ended(0, "b()", NOT_RUN);
        ended(0, "c()", NOT_RUN);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED a()", "FAILED b()", "FAILED c()");
        assertThat(told.failures.get(0).getThrowable().orElseThrow()).hasMessage("""
                        GroupMergeTest.Plain.a [2 ranks, a2a3sim] did not run: the lifecycle of GroupMergeTest$Plain failed on rank 1

                          no link
                          log of rank 1: /logs/1.log
                        """);
    }

    @Test
    void anAfterAllThatFailsFailsTheClassAndLeavesItsTestsAlone() {
        both("a()", PASSED);
        both("b()", PASSED);
        both("c()", PASSED);
        merge.ended(0, endedOf(classId(), PASSED));
        merge.ended(1, endedOf(classId(), failed("cannot close")));
        merge.end();
        tree.close();

        assertThat(told.results())
                .containsExactly(
                        "SUCCESSFUL a()", "SUCCESSFUL b()", "SUCCESSFUL c()", "FAILED " + Plain.class.getName());
        assertThat(told.headlines())
                .containsExactly("the lifecycle of GroupMergeTest$Plain [2 ranks, a2a3sim] failed on rank 1");
    }

    @Test
    void aRankThatDiesAfterTheLastTestFailsTheClass() {
        both("a()", PASSED);
        both("b()", PASSED);
        both("c()", PASSED);
        merge.endedOutsideTests(0, DIED);
        merge.end();
        tree.close();

        assertThat(told.headlines())
                .containsExactly("the lifecycle of GroupMergeTest$Plain [2 ranks, a2a3sim] failed on rank 0");
    }

    @Test
    void aClassThatIsDisabledOnAllRanksSkipsItsTests() {
        merge.ended(0, endedOf(classId(), new RankOutcome.Skipped("not today")));
        merge.ended(1, endedOf(classId(), new RankOutcome.Skipped("not today")));
        merge.end();
        tree.close();

        assertThat(told.lines)
                .containsExactly(
                        "start " + Plain.class.getName(),
                        "skip a(): not today",
                        "skip b(): not today",
                        "skip c(): not today",
                        "SUCCESSFUL " + Plain.class.getName());
    }

    @Test
    void ranksThatDisagreeFailTheTestsTheyWereAboutToRunWithBothNames() {
        merge.disagreed(new TreeMap<>(Map.of(0, id("a()"), 1, id("b()"))));
        merge.end();

        assertThat(told.headlines())
                .containsExactlyInAnyOrder(disagreement("a", "a", "b"), disagreement("b", "a", "b"));
    }

    @Test
    void aRankThatIsAtItsEndWhileAnotherIsNotDisagreesToo() {
        both("a()", PASSED);
        both("b()", PASSED);
        merge.disagreed(new TreeMap<>(Map.of(0, id("c()"), 1, "")));
        merge.end();

        assertThat(told.headlines())
                .containsExactly(
                        "GroupMergeTest.Plain.c [2 ranks, a2a3sim]: the ranks are about to run different tests: "
                                + "rank 0 GroupMergeTest.Plain.c [2 ranks, a2a3sim], rank 1 none"
                                + ". What a rank runs must not depend on its number, on chance or on time.");
    }

    @Test
    void aGroupThatRanNothingAtAllFailsWhatRemains() {
        merge.end();

        assertThat(told.headlines())
                .containsExactly(
                        "GroupMergeTest.Plain.a [2 ranks, a2a3sim]: its ranks ended without running it",
                        "GroupMergeTest.Plain.b [2 ranks, a2a3sim]: its ranks ended without running it",
                        "GroupMergeTest.Plain.c [2 ranks, a2a3sim]: its ranks ended without running it");
    }

    @Test
    void aGroupThatCannotBeMadeFailsWhatRemainsWithItsReason() {
        both("a()", PASSED);
        merge.failRemaining("rank 1 (device 5) bootstrap failed");

        assertThat(told.headlines())
                .containsExactly(
                        "GroupMergeTest.Plain.b [2 ranks, a2a3sim]: rank 1 (device 5) bootstrap failed",
                        "GroupMergeTest.Plain.c [2 ranks, a2a3sim]: rank 1 (device 5) bootstrap failed");
    }

    @Test
    void anAssumptionOnOneRankAbortsTheTest() {
        enter("a()");
        ended(0, "a()", PASSED);
        ended(1, "a()", new RankOutcome.Aborted(failure("no link")));

        assertThat(told.results()).containsExactly("ABORTED a()");
    }

    @Test
    void aTestThatIsDisabledOnAllRanksIsSkippedAndNeverStarts() {
        ended(0, "a()", new RankOutcome.Skipped("not today"));
        ended(1, "a()", new RankOutcome.Skipped("not today"));

        assertThat(told.lines).doesNotContain("start a()").contains("skip a(): not today");
    }

    @Test
    void aReportEntryIsLabelledWithItsRank() {
        enter("a()");
        merge.reported(1, new FromRank.Reported(id("a()"), Map.of("loss", "0.5")));

        assertThat(told.lines).contains("entry a() {rank 1: loss=0.5}");
    }

    @Test
    void everyResultGoesToTheReportToo() {
        both("a()", PASSED);
        merge.failRemaining("no devices");

        assertThat(reported)
                .extracting(result -> result.test().getLegacyReportingName())
                .containsExactly("a()", "b()", "c()");
    }

    @Test
    void whatAGroupCostIsCountedToItsFirstTest() {
        both("a()", PASSED);
        both("b()", PASSED);

        assertThat(reported)
                .extracting(TestResult::phases)
                .containsExactly(new GroupPhases(4, 1, 2, 3, 0, true, GroupPhases.Goldens.READY), GroupPhases.KEPT);
    }

    @Test
    void aNestedClassStartsWithinItsClass() {
        merge = of(WithNested.class);
        merge.begin(group());
        both("outer()", PASSED);
        both("inner()", PASSED);
        merge.end();
        tree.close();

        assertThat(told.lines)
                .containsExactly(
                        "start " + WithNested.class.getName(),
                        "start outer()",
                        "SUCCESSFUL outer()",
                        "start " + WithNested.Inner.class.getName(),
                        "start inner()",
                        "SUCCESSFUL inner()",
                        "SUCCESSFUL " + WithNested.Inner.class.getName(),
                        "SUCCESSFUL " + WithNested.class.getName());
    }

    @Test
    void aNestedClassFinishesWhenItHasEndedOnAllRanksAndNothingInItIsLeft() {
        merge = of(WithNested.class);
        merge.begin(group());
        String nested = id("inner()").substring(0, id("inner()").lastIndexOf('/'));
        both("inner()", PASSED);
        merge.ended(0, endedOf(nested, PASSED));
        assertThat(told.lines).doesNotContain("SUCCESSFUL " + WithNested.Inner.class.getName());

        merge.ended(1, endedOf(nested, PASSED));
        both("outer()", PASSED);
        merge.end();
        tree.close();

        assertThat(told.results())
                .containsExactly(
                        "SUCCESSFUL inner()",
                        "SUCCESSFUL " + WithNested.Inner.class.getName(),
                        "SUCCESSFUL outer()",
                        "SUCCESSFUL " + WithNested.class.getName());
    }

    @Test
    void aNestedClassWithATestLeftForOtherRanksDoesNotFinishYet() {
        merge = of(WithNested.class);
        merge.begin(group());
        String nested = id("inner()").substring(0, id("inner()").lastIndexOf('/'));
        ended(0, "inner()", NOT_RUN);
        ended(1, "inner()", NOT_RUN);
        merge.ended(0, endedOf(nested, PASSED));
        merge.ended(1, endedOf(nested, PASSED));

        assertThat(told.results()).isEmpty();
    }

    @Test
    void aBeforeAllThatFailsInANestedClassFailsItsTestsAlone() {
        merge = of(WithNested.class);
        merge.begin(group());
        both("outer()", PASSED);
        String nested = id("inner()").substring(0, id("inner()").lastIndexOf('/'));
        merge.ended(0, endedOf(nested, failed("no link")));
        merge.end();

        assertThat(told.results()).containsExactly("SUCCESSFUL outer()", "FAILED inner()");
    }

    @Test
    void anInvocationIsRegisteredOnceAndHasOneResult() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, PASSED, PASSED);
        endTemplate(PASSED);
        merge.end();
        tree.close();

        assertThat(told.lines)
                .containsExactly(
                        "start " + Template.class.getName(),
                        "start p(int)",
                        "register p(int)[1]",
                        "start p(int)[1]",
                        "SUCCESSFUL p(int)[1]",
                        "SUCCESSFUL p(int)",
                        "SUCCESSFUL " + Template.class.getName());
    }

    @Test
    void aTemplatePassesThoughAnInvocationFailed() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, PASSED, failed("wrong"));
        endTemplate(PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "SUCCESSFUL p(int)");
    }

    @Test
    void invocationsAfterAFailureRemainAndAreSelectedOneByOne() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, PASSED, failed("wrong"));
        invocation(2, NOT_RUN, NOT_RUN);
        invocation(3, NOT_RUN, NOT_RUN);
        endTemplate(PASSED);
        merge.end();

        assertThat(merge.remaining().get(0).selected()).containsExactly(invocationId(2), invocationId(3));
    }

    @Test
    void theNextGroupContinuesWithTheInvocationsThatRemain() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, PASSED, failed("wrong"));
        invocation(2, NOT_RUN, NOT_RUN);
        endTemplate(PASSED);
        merge.end();
        merge.begin(group());
        invocation(2, PASSED, PASSED);
        endTemplate(PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "SUCCESSFUL p(int)[2]", "SUCCESSFUL p(int)");
    }

    @Test
    void aLifecycleThatFailsBeforeInvocationsFailsThemAndNotTheTemplateToo() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, NOT_RUN, NOT_RUN);
        invocation(2, NOT_RUN, NOT_RUN);
        merge.endedOutsideTests(1, DIED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "FAILED p(int)[2]", "SUCCESSFUL p(int)");
    }

    @Test
    void withoutAGroupTheInvocationsThatRemainFailAndNotTheTemplateToo() {
        merge = of(Template.class);
        merge.begin(group());
        invocation(1, PASSED, failed("wrong"));
        invocation(2, NOT_RUN, NOT_RUN);
        endTemplate(PASSED);
        merge.end();
        merge.failRemaining("no devices");

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "FAILED p(int)[2]", "SUCCESSFUL p(int)");
    }

    @Test
    void anInvocationThatHasItsResultIsNotRunAgain() {
        merge = of(Template.class);
        merge.begin(group());
        register(1);
        merge.entered(invocationId(1));
        ended(invocationId(1), DIED, DIED);
        merge.end();
        merge.begin(group());

        assertThat(merge.entered(invocationId(1))).isFalse();
    }

    @Test
    void whereAllRanksDiedTheTemplateGoesOnWithInvocationsNobodyHasSeen() {
        merge = of(Template.class);
        merge.begin(group());
        register(1);
        merge.entered(invocationId(1));
        ended(invocationId(1), DIED, DIED);
        merge.end();
        merge.begin(group());
        invocation(1, NOT_RUN, NOT_RUN);
        invocation(2, PASSED, PASSED);
        endTemplate(PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "SUCCESSFUL p(int)[2]", "SUCCESSFUL p(int)");
    }

    @Test
    void whereAllRanksDiedInTheLastInvocationTheTemplateStillEnds() {
        merge = of(Template.class);
        merge.begin(group());
        register(1);
        merge.entered(invocationId(1));
        ended(invocationId(1), DIED, DIED);
        merge.end();
        merge.begin(group());
        invocation(1, NOT_RUN, NOT_RUN);
        endTemplate(PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED p(int)[1]", "SUCCESSFUL p(int)");
    }

    @Test
    void dynamicTestsAfterOneInWhichARankDiedRemain() {
        merge = of(Factory.class);
        merge.begin(group());
        enter("f()");
        dynamic(1, PASSED, PASSED);
        dynamic(2, new RankOutcome.Released(1, failure("released")), DIED);
        merge.ended(1, endedOf(id("f()"), DIED));
        registerDynamic(3);
        merge.ended(0, endedOf(dynamicId(3), NOT_RUN));
        merge.ended(0, endedOf(id("f()"), PASSED));
        merge.end();

        assertThat(merge.remaining().get(0).selected()).containsExactly(dynamicId(3));
    }

    @Test
    void whereAllRanksDiedInADynamicTestTheFactoryGoesOnBehindIt() {
        merge = of(Factory.class);
        merge.begin(group());
        enter("f()");
        dynamic(1, DIED, DIED);
        ended(id("f()"), DIED, DIED);
        merge.end();
        merge.begin(group());
        enter("f()");
        dynamic(1, NOT_RUN, NOT_RUN);
        dynamic(2, PASSED, PASSED);
        ended(id("f()"), PASSED, PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[1]", "SUCCESSFUL f()[2]", "SUCCESSFUL f()");
    }

    @Test
    void aFactoryThatFailsItselfAfterAFailedTestFailsToo() {
        merge = of(Factory.class);
        merge.begin(group());
        enter("f()");
        dynamic(1, PASSED, failed("wrong"));
        ended(id("f()"), PASSED, failed("no more tests"));
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[1]", "FAILED f()");
    }

    @Test
    void aFactoryWithoutTestsHasAResult() {
        merge = of(Factory.class);
        merge.begin(group());
        both("f()", PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("SUCCESSFUL f()");
    }

    @Test
    void nothingRemainsAtTheEnd() {
        both("a()", PASSED);
        enter("b()");
        ended(0, "b()", DIED);
        merge.end();
        merge.begin(group());
        merge.end();

        assertThat(merge.remaining()).isEmpty();
    }

    private GroupMerge of(Class<?> type) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, type);
        Settings settings = Settings.read(key -> Optional.empty(), Set.of());
        classPlan =
                new Planner(settings, Map.of(Platform.A2A3SIM, 16)).plan(root).get(0);
        tree = new ClassTree(classPlan, told);
        return new GroupMerge(
                classPlan.groups().get(0),
                tree,
                new Results(told, reported::add, output -> {}),
                () -> false,
                avoided -> Optional.empty());
    }

    private GroupHooks group() {
        return new GroupHooks(
                ++groups,
                List.of(DeviceRef.here(4), DeviceRef.here(5)),
                List.of(Path.of("/logs/0.log"), Path.of("/logs/1.log")),
                new GroupPhases(4, 1, 2, 3, 0, true, GroupPhases.Goldens.READY),
                () -> List.of("", ""));
    }

    private void both(String test, RankOutcome outcome) {
        enter(test);
        ended(id(test), outcome, outcome);
    }

    private void enter(String test) {
        merge.entered(id(test));
    }

    private void ended(int rank, String test, RankOutcome outcome) {
        merge.ended(rank, endedOf(id(test), outcome));
    }

    private void ended(String uniqueId, RankOutcome... byRank) {
        for (int rank = 0; rank < byRank.length; rank++) {
            merge.ended(rank, endedOf(uniqueId, byRank[rank]));
        }
    }

    private void invocation(int number, RankOutcome rank0, RankOutcome rank1) {
        register(number);
        if (!rank0.equals(NOT_RUN)) {
            merge.entered(invocationId(number));
        }
        ended(invocationId(number), rank0, rank1);
    }

    private void register(int number) {
        for (int rank = 0; rank < 2; rank++) {
            merge.registered(
                    rank,
                    new FromRank.Registered(
                            invocationId(number),
                            id("p(int)"),
                            "[" + number + "] " + number,
                            "p(int)[" + number + "]",
                            true,
                            null,
                            null,
                            null,
                            List.of()));
        }
    }

    private void dynamic(int number, RankOutcome rank0, RankOutcome rank1) {
        registerDynamic(number);
        if (!rank0.equals(NOT_RUN)) {
            merge.entered(dynamicId(number));
        }
        ended(dynamicId(number), rank0, rank1);
    }

    private void registerDynamic(int number) {
        for (int rank = 0; rank < 2; rank++) {
            merge.registered(
                    rank,
                    new FromRank.Registered(
                            dynamicId(number),
                            id("f()"),
                            "dynamic " + number,
                            "f()[" + number + "]",
                            true,
                            null,
                            null,
                            null,
                            List.of()));
        }
    }

    private String dynamicId(int number) {
        return id("f()") + "/[dynamic-test:#" + number + "]";
    }

    private void endTemplate(RankOutcome outcome) {
        ended(id("p(int)"), outcome, outcome);
    }

    private String invocationId(int number) {
        return id("p(int)") + "/[test-template-invocation:#" + number + "]";
    }

    /** The unique id of a test as ranks know it. */
    private String id(String test) {
        return classPlan.tests().stream()
                .filter(planned -> planned.node().getLegacyReportingName().equals(test))
                .map(planned -> planned.test().jupiterId())
                .findFirst()
                .orElseThrow();
    }

    private String classId() {
        return id("a()").substring(0, id("a()").lastIndexOf('/'));
    }

    private static FromRank.Ended endedOf(String uniqueId, RankOutcome outcome) {
        return new FromRank.Ended(uniqueId, outcome, List.of(), System.nanoTime(), 0);
    }

    private static RankOutcome failed(String message) {
        return new RankOutcome.Failed(failure(message));
    }

    private static Failure failure(String message) {
        return new Failure("java.lang.AssertionError", message, true, null, null, List.of(), null, List.of());
    }

    private static String blamed(String test, String why) {
        return "GroupMergeTest.Plain." + test + " [2 ranks, a2a3sim] did not run: " + why;
    }

    private static String disagreement(String test, String... next) {
        return "GroupMergeTest.Plain." + test + " [2 ranks, a2a3sim]: the ranks are about to run different tests: "
                + String.join(
                        ", ",
                        Arrays.asList(
                                "rank 0 GroupMergeTest.Plain." + next[0] + " [2 ranks, a2a3sim]",
                                "rank 1 GroupMergeTest.Plain." + next[1] + " [2 ranks, a2a3sim]"))
                + ". What a rank runs must not depend on its number, on chance or on time.";
    }
}
