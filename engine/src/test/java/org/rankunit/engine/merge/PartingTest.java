package org.rankunit.engine.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.DeviceCount;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;

/** Plays ranks that part: some leave what the others do not, or they register different tests; and a run cut short. */
@Tag("unit")
class PartingTest {

    private static final RankOutcome PASSED = new RankOutcome.Passed();
    private static final RankOutcome NOT_RUN = new RankOutcome.NotRun();
    private static final RankOutcome GAVE_UP = new RankOutcome.Aborted(failure("no link"));
    private static final RankOutcome SKIPPED = new RankOutcome.Skipped("not here");
    private static final RankOutcome RELEASED = new RankOutcome.Released(1, failure("released"));
    private static final RankOutcome FAILED = new RankOutcome.Failed(failure("wrong"));

    @DeviceCount(2)
    static class Two {

        @Test
        void a() {}

        @Test
        void b() {}
    }

    @DeviceCount(2)
    static class Factory {

        @TestFactory
        Stream<DynamicTest> f() {
            return Stream.empty();
        }
    }

    private boolean cancelled;
    private final Told told = new Told();
    private ClassPlan classPlan = planOf(Two.class);
    private GroupMerge merge = mergeOf(classPlan);

    @Test
    void aReleaseAfterAnAssumptionAbortsTheTestAndTheRestRemains() {
        merge.entered(id("a()"));
        ended(1, id("a()"), GAVE_UP);
        merge.parted(id("a()"));
        ended(0, id("a()"), RELEASED);
        everywhere(id("b()"), NOT_RUN);
        everywhere(classId(), PASSED);
        merge.end();

        assertThat(told.lines).contains("ABORTED a()");
        assertThat(merge.remaining()).extracting(TestSelection::uniqueId).containsExactly(id("b()"));
    }

    @Test
    void whatTheReleaseBrokeInCleanUpFailsNothing() {
        merge.entered(id("a()"));
        ended(1, id("a()"), GAVE_UP);
        merge.parted(id("a()"));
        ended(0, id("a()"), PASSED);
        everywhere(id("b()"), NOT_RUN);
        everywhere(classId(), RELEASED);
        merge.end();

        assertThat(told.failures).isEmpty();
    }

    @Test
    void aConditionThatHeldOnOneRankAloneFailsItsTestAlone() {
        ended(1, id("a()"), SKIPPED);
        merge.parted(id("a()"));
        ended(0, id("a()"), NOT_RUN);
        everywhere(id("b()"), NOT_RUN);
        merge.end();

        assertThat(told.headlines())
                .containsExactly("PartingTest.Two.a [2 ranks, a2a3sim]: the ranks disagree on whether to run it: rank 0"
                        + " was about to run it; rank 1 skipped it: not here. A condition must hold on all ranks or on"
                        + " none; for what one rank alone can find out there are assumptions.");
        assertThat(merge.remaining()).extracting(TestSelection::uniqueId).containsExactly(id("b()"));
    }

    @Test
    void anAssumptionOfTheClassOnOneRankAbortsAllItsTests() {
        ended(1, classId(), GAVE_UP);
        merge.parted(classId());
        ended(0, id("a()"), NOT_RUN);
        ended(0, id("b()"), NOT_RUN);
        ended(0, classId(), PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("ABORTED a()", "ABORTED b()");
    }

    @Test
    void aRankReleasedFromTheLifecycleOfAClassThatAnotherGaveUpIsNoFailure() {
        ended(1, classId(), GAVE_UP);
        merge.parted(classId());
        ended(0, classId(), RELEASED);
        merge.end();

        assertThat(told.results()).containsExactly("ABORTED a()", "ABORTED b()");
    }

    @Test
    void aRankThatHadToBeEndedInTheLifecycleOfAClassThatAnotherGaveUpIsNoFailure() {
        ended(1, classId(), GAVE_UP);
        merge.parted(classId());
        merge.endedOutsideTests(0, RELEASED);
        merge.end();

        assertThat(told.results()).containsExactly("ABORTED a()", "ABORTED b()");
    }

    @Test
    void aFailureOfTheClassLeadsBeforeAnAssumption() {
        ended(1, classId(), GAVE_UP);
        merge.parted(classId());
        ended(0, classId(), FAILED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED a()", "FAILED b()");
        assertThat(told.headlines()).allSatisfy(headline -> assertThat(headline).endsWith("failed on rank 0"));
    }

    @Test
    void whereJupiterItselfFailsOnOneRankAllTestsFailWithIt() {
        ended(1, "[engine:junit-jupiter]", FAILED);
        merge.end();

        assertThat(told.headlines())
                .containsExactly(
                        "PartingTest.Two.a [2 ranks, a2a3sim] did not run: the lifecycle of PartingTest$Two failed on rank 1",
                        "PartingTest.Two.b [2 ranks, a2a3sim] did not run: the lifecycle of PartingTest$Two failed on rank 1");
    }

    @Test
    void ranksThatAllSkipTheClassThoughOneWasLateSkipItsTests() {
        ended(1, classId(), SKIPPED);
        merge.parted(classId());
        ended(0, classId(), SKIPPED);
        merge.end();

        assertThat(told.lines).contains("skip a(): not here", "skip b(): not here");
    }

    @Test
    void anAssumptionOfAFactoryOnOneRankAbortsItAndItsTests() {
        playFactory();
        register(0, 1, "x");
        ended(1, id("f()"), GAVE_UP);
        merge.parted(id("f()"));
        ended(0, dynamicId(1), NOT_RUN);
        ended(0, id("f()"), PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("ABORTED f()[1]", "ABORTED f()");
    }

    @Test
    void dynamicTestsOfDifferentNamesAtOnePlaceAreNotEntered() {
        playFactory();
        register(0, 1, "x");
        register(1, 1, "y");

        assertThat(merge.entered(dynamicId(1))).isFalse();
    }

    @Test
    void dynamicTestsOfDifferentNamesFailAndTheirFactoryToo() {
        playFactory();
        register(0, 1, "x");
        register(1, 1, "y");
        everywhere(dynamicId(1), NOT_RUN);
        everywhere(id("f()"), PASSED);
        merge.end();

        assertThat(told.headlines())
                .containsExactly(
                        "PartingTest.Factory.f x [2 ranks, a2a3sim]: the ranks registered different tests at this place:"
                                + " rank 0 \"x\", rank 1 \"y\". What a rank runs must not depend on its number, on chance"
                                + " or on time.",
                        "PartingTest.Factory.f [2 ranks, a2a3sim]: the ranks registered different tests:");
    }

    @Test
    void testsThatOnlyOneRankRegisteredFailAtOnce() {
        playFactory();
        register(1, 1, "x");
        register(1, 2, "y");
        merge.disagreed(Map.of(0, "", 1, dynamicId(1)));
        ended(1, dynamicId(1), NOT_RUN);
        ended(1, dynamicId(2), NOT_RUN);
        everywhere(id("f()"), PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[1]", "FAILED f()[2]", "FAILED f()");
        assertThat(merge.remaining()).isEmpty();
    }

    @Test
    void aDifferenceIsNotForgottenWhereTestsRemain() {
        playFactory();
        both(1, "x");
        register(0, 2, "y");
        register(1, 2, "z");
        everywhere(dynamicId(1), NOT_RUN);
        everywhere(dynamicId(2), NOT_RUN);
        everywhere(id("f()"), PASSED);
        merge.end();
        merge.begin(group(2));
        both(1, "x");
        merge.entered(dynamicId(1));
        everywhere(dynamicId(1), PASSED);
        everywhere(id("f()"), PASSED);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[2]", "SUCCESSFUL f()[1]", "FAILED f()");
    }

    @Test
    void aCancelledRunEndsTheTestAtHandAndSkipsTheRest() {
        merge.entered(id("a()"));
        cancelled = true;
        everywhere(id("a()"), PASSED);
        assertThat(merge.entered(id("b()"))).isFalse();
        everywhere(id("b()"), NOT_RUN);
        merge.end();
        merge.skipRemaining("Execution cancelled");

        assertThat(told.results()).containsExactly("SUCCESSFUL a()", "skip b(): Execution cancelled");
        assertThat(merge.remaining()).isEmpty();
    }

    @Test
    void aFactoryThatWasCancelledInTheMiddleIsAborted() {
        playFactory();
        both(1, "x");
        both(2, "y");
        merge.entered(dynamicId(1));
        everywhere(dynamicId(1), PASSED);
        cancelled = true;
        everywhere(dynamicId(2), NOT_RUN);
        everywhere(id("f()"), NOT_RUN);
        merge.end();
        merge.skipRemaining("Execution cancelled");

        assertThat(told.results())
                .containsExactly("SUCCESSFUL f()[1]", "skip f()[2]: Execution cancelled", "ABORTED f()");
    }

    private void playFactory() {
        classPlan = planOf(Factory.class);
        merge = mergeOf(classPlan);
        merge.entered(id("f()"));
    }

    private ClassPlan planOf(Class<?> type) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, type);
        return new Planner(Settings.read(key -> Optional.empty(), Set.of()), Map.of(Platform.A2A3SIM, 16))
                .plan(root)
                .get(0);
    }

    private GroupMerge mergeOf(ClassPlan plan) {
        GroupMerge fresh = new GroupMerge(
                plan.groups().get(0),
                new ClassTree(plan, told),
                new Results(told, result -> {}, output -> {}),
                () -> cancelled,
                avoided -> Optional.empty());
        fresh.begin(group(1));
        return fresh;
    }

    private static GroupHooks group(int number) {
        return new GroupHooks(
                number,
                List.of(DeviceRef.here(4), DeviceRef.here(5)),
                List.of(Path.of("/logs/0.log"), Path.of("/logs/1.log")),
                GroupPhases.KEPT,
                () -> List.of("", ""));
    }

    private void everywhere(String uniqueId, RankOutcome outcome) {
        ended(0, uniqueId, outcome);
        ended(1, uniqueId, outcome);
    }

    private void ended(int rank, String uniqueId, RankOutcome outcome) {
        merge.ended(rank, new FromRank.Ended(uniqueId, outcome, List.of(), System.nanoTime(), 0));
    }

    private void both(int number, String name) {
        register(0, number, name);
        register(1, number, name);
    }

    private void register(int rank, int number, String name) {
        merge.registered(
                rank,
                new FromRank.Registered(
                        dynamicId(number), id("f()"), name, "f()[" + number + "]", true, null, null, null, List.of()));
    }

    private String dynamicId(int number) {
        return id("f()") + "/[dynamic-test:#" + number + "]";
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

    private static Failure failure(String message) {
        return new Failure("java.lang.AssertionError", message, true, null, null, List.of(), null, List.of());
    }
}
