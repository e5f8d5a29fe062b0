package org.rankunit.engine.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
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

/** Groups that break off outside of a test: what broke off fails with the reason, and the rest remains for the next group. */
@Tag("unit")
class BrokenOffTest {

    private static final RankOutcome PASSED = new RankOutcome.Passed();
    private static final RankOutcome HUNG =
            new RankOutcome.Unfinished("had not ended after 3 s", "", "ranks 0, 1 are at X:1");

    @DeviceCount(2)
    static class Mixed {

        @TestFactory
        Stream<DynamicTest> f() {
            return Stream.empty();
        }

        @Test
        void z() {}
    }

    private final Told told = new Told();
    private ClassPlan plan = new ClassPlan(new EngineDescriptor(UniqueId.forEngine("none"), "none"), List.of());
    private GroupMerge merge = ofMixed();

    private GroupMerge ofMixed() {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, Mixed.class);
        Settings settings = Settings.read(key -> Optional.empty(), Set.of());
        plan = new Planner(settings, Map.of(Platform.A2A3SIM, 16)).plan(root).get(0);
        return new GroupMerge(
                plan.groups().get(0),
                new ClassTree(plan, told),
                new Results(told, result -> {}, output -> {}),
                () -> false,
                avoided -> Optional.empty());
    }

    @BeforeEach
    void aGroupBegins() {
        merge.begin(new GroupHooks(
                1,
                List.of(DeviceRef.here(0), DeviceRef.here(1)),
                List.of(Path.of("0.log"), Path.of("1.log")),
                new GroupPhases(0, 0, 0, 0, 0, false, GroupPhases.Goldens.READY),
                () -> List.of("", "")));
    }

    @Test
    void aFactoryWhoseStreamHangsAfterAFailureOfEarlierRanksFailsByItself() {
        dynamic(1, new RankOutcome.Died("exited with code 7", ""));
        both(id("f()"), new RankOutcome.Died("exited with code 7", ""));
        merge.end();
        assertThat(told.results()).containsExactly("FAILED f()[1]");

        aGroupBegins();
        merge.registered(0, registered(1));
        both(id("f()"), HUNG);
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[1]", "FAILED f()");
        assertThat(remaining()).containsExactly(id("z()"));
    }

    @Test
    void whatOneRankRegisteredWhileTheFactoryHungOnAnotherFailsWithIt() {
        merge.registered(1, registered(1));
        merge.ended(0, ended(id("f()"), HUNG));
        merge.end();

        assertThat(told.results()).containsExactly("FAILED f()[1]", "FAILED f()");
        assertThat(told.headlines().get(0)).contains("did not run: BrokenOffTest.Mixed.f [2 ranks, a2a3sim] failed");
        assertThat(remaining()).containsExactly(id("z()"));
    }

    @Test
    void aLifecycleThatHangsOnLaterRanksFailsWhatRemainsWithTheReason() {
        merge.entered(id("z()"));
        both(id("z()"), PASSED);
        merge.end();

        aGroupBegins();
        both(classId(), HUNG);
        merge.end();

        assertThat(told.results()).containsExactly("SUCCESSFUL z()", "FAILED f()");
        assertThat(told.headlines().get(0)).contains("f [2 ranks, a2a3sim] did not run: the lifecycle of ");
    }

    @Test
    void aFailureBeforeTheRanksMetForATestExplainsWhoWasReleasedAroundIt() {
        merge.ended(1, ended(id("z()"), new RankOutcome.Failed(failure())));
        both(classId(), new RankOutcome.Released(1, failure()));
        merge.end();

        assertThat(told.results()).containsExactly("FAILED z()");
        assertThat(told.headlines().get(0)).contains("z [2 ranks, a2a3sim] failed on rank 1");
        assertThat(remaining()).containsExactly(id("f()"));
    }

    @Test
    void ranksThatAreUnfitFromTheBeginningAreReplacedOnce() {
        merge.unfit("rank 1 found its communicator closed");
        merge.ended(0, ended(classId(), new RankOutcome.Released(1, failure())));
        merge.end();
        assertThat(told.results()).isEmpty();
        assertThat(remaining()).hasSize(2);

        aGroupBegins();
        merge.unfit("rank 1 found its communicator closed");
        merge.end();

        assertThat(told.results()).containsExactlyInAnyOrder("FAILED f()", "FAILED z()");
        assertThat(told.headlines())
                .allMatch(line -> line.endsWith("did not run: rank 1 found its communicator closed"));
    }

    private List<String> remaining() {
        return merge.remaining().stream().map(TestSelection::uniqueId).toList();
    }

    private void dynamic(int number, RankOutcome outcome) {
        merge.registered(0, registered(number));
        merge.registered(1, registered(number));
        merge.entered(registered(number).uniqueId());
        both(registered(number).uniqueId(), outcome);
    }

    private FromRank.Registered registered(int number) {
        String name = "dynamic " + number;
        return new FromRank.Registered(
                id("f()") + "/[dynamic-test:#" + number + "]",
                id("f()"),
                name,
                "f()[" + number + "]",
                true,
                null,
                null,
                null,
                List.of());
    }

    private void both(String uniqueId, RankOutcome outcome) {
        merge.ended(0, ended(uniqueId, outcome));
        merge.ended(1, ended(uniqueId, outcome));
    }

    private static FromRank.Ended ended(String uniqueId, RankOutcome outcome) {
        return new FromRank.Ended(uniqueId, outcome, List.of(), System.nanoTime(), 0);
    }

    private static Failure failure() {
        return new Failure("X", "released", false, null, null, List.of(), null, List.of());
    }

    private String classId() {
        return id("z()").substring(0, id("z()").lastIndexOf('/'));
    }

    /** The unique id of a planned test as ranks know it. */
    private String id(String test) {
        return plan.tests().stream()
                .filter(planned -> planned.node().getLegacyReportingName().equals(test))
                .map(planned -> planned.test().jupiterId())
                .findFirst()
                .orElseThrow();
    }
}
