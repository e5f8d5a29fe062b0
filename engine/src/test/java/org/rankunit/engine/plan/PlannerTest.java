package org.rankunit.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.config.Platform.A2A3;
import static org.rankunit.engine.config.Platform.A2A3SIM;
import static org.rankunit.engine.config.Platform.A5SIM;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.ShakeSchedule;
import org.rankunit.Window;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.site.DevicesHere;

@Tag("unit")
class PlannerTest {

    private static final Map<Platform, Integer> SIMULATORS = Map.of(A2A3SIM, 4, A5SIM, 4);

    static class AnyPlatform {

        @Test
        @DeviceCount(2)
        void test() {}
    }

    static class HardwareAlone {

        @Test
        @DeviceCount(2)
        @Platforms("a2a3")
        void test() {}
    }

    static class SimulatorFirst {

        @Test
        @DeviceCount(2)
        @Platforms({"a2a3sim", "a2a3"})
        void test() {}
    }

    static class FiveRanks {

        @Test
        @DeviceCount(5)
        void test() {}
    }

    static class Mistaken {

        @Test
        @DeviceCount(0)
        void test() {}
    }

    @DeviceCount(1)
    @DeviceRuntime({"r1", "r2"})
    static class Runtimes {

        @Test
        void test() {}
    }

    @DeviceCount(2)
    static class Shaken {

        @Test
        @ShakeSchedule(seeds = 2)
        void a() {}

        @Test
        @ShakeSchedule(seeds = 2)
        void b() {}

        @Test
        void c() {}
    }

    static class Several {

        @Test
        @DeviceCount({4, 2})
        void a() {}

        @Test
        @DeviceCount(1)
        @Platforms("a5sim")
        void b() {}

        @Test
        @DeviceCount(2)
        void c() {}

        @Test
        @DeviceCount(64)
        void tooMany() {}
    }

    @DeviceCount(2)
    @Window(syncPrefix = 64)
    @Buffer(name = "small", type = DType.INT8, count = 10, placement = Placement.WINDOW)
    @Buffer(name = "device", type = DType.INT8, count = 5000)
    static class Buffers {

        @Test
        @Buffer(name = "large", type = DType.FLOAT64, count = 100, placement = Placement.WINDOW)
        void test() {}
    }

    @Test
    void testsWithTheSameSeedRunTogetherAndThoseWithOthersAfterThemOnTheSameKindOfGroup() {
        List<GroupPlan> groups = plan(Shaken.class, settings(), SIMULATORS).groups();

        assertThat(groups)
                .extracting(group -> group.title() + " " + group.tests().size())
                .containsExactlyInAnyOrder(
                        "[2 ranks, a2a3sim, seed 1] 2", "[2 ranks, a2a3sim, seed 2] 2", "[2 ranks, a2a3sim] 1");
        assertThat(groups)
                .extracting(GroupPlan::kind)
                .containsOnly(groups.get(0).kind());
        assertThat(groups).extracting(GroupPlan::variant).containsOnly("[2 ranks, a2a3sim]");
    }

    @Test
    void onHardwareAShakenTestRunsOnce() {
        ClassPlan plan = plan(Shaken.class, settings(), Map.of(A2A3, 2));

        assertThat(plan.tests())
                .filteredOn(test -> test.decision() instanceof TestDecision.Skipped)
                .extracting(PlannedTest::decision)
                .hasSize(2)
                .containsOnly(new TestDecision.Skipped(
                        "only simulators can be shaken: on a2a3 the test runs once, and this would be seed 2"));
        assertThat(plan.groups()).extracting(GroupPlan::title).containsOnly("[2 ranks, a2a3]");
    }

    @Test
    void hardwareIsTakenBeforeASimulator() {
        assertThat(decision(AnyPlatform.class, settings(), Map.of(A2A3, 2, A2A3SIM, 16)))
                .isEqualTo(new TestDecision.Runs(A2A3, List.of()));
    }

    @Test
    void theSimulatorIsTakenWhereThereIsNoHardware() {
        assertThat(decision(AnyPlatform.class, settings(), SIMULATORS))
                .isEqualTo(new TestDecision.Runs(A2A3SIM, List.of()));
    }

    @Test
    void theSimulatorIsTakenWhereThereIsTooLittleHardware() {
        assertThat(decision(AnyPlatform.class, settings(), Map.of(A2A3, 1, A2A3SIM, 16)))
                .isEqualTo(new TestDecision.Runs(A2A3SIM, List.of()));
    }

    @Test
    void theOrderInWhichATestNamesItsPlatformsDoesNotMatter() {
        assertThat(decision(SimulatorFirst.class, settings(), Map.of(A2A3, 2, A2A3SIM, 16)))
                .isEqualTo(new TestDecision.Runs(A2A3, List.of()));
    }

    @Test
    void aFixedPlatformIsTakenBeforeAnyOther() {
        assertThat(decision(AnyPlatform.class, on(A5SIM), Map.of(A2A3, 2, A2A3SIM, 16, A5SIM, 4)))
                .isEqualTo(new TestDecision.Runs(A5SIM, List.of()));
    }

    @Test
    void aTestThatDoesNotNameTheFixedPlatformIsSkipped() {
        assertThat(decision(HardwareAlone.class, on(A2A3SIM), SIMULATORS))
                .isEqualTo(new TestDecision.Skipped("runs on a2a3, but this run is on a2a3sim (rankunit.platform)"));
    }

    @Test
    void aTestForHardwareThatIsNotThereIsSkipped() {
        assertThat(decision(HardwareAlone.class, settings(), SIMULATORS))
                .isEqualTo(new TestDecision.Skipped(
                        "runs on a2a3, but this machine has no such device (it has a2a3sim: 4, a5sim: 4)"));
    }

    @Test
    void aPlatformThatIsAskedForAndNotThereIsNamedWithWhatToDo() {
        assertThat(decision(AnyPlatform.class, on(A2A3), SIMULATORS))
                .isEqualTo(
                        new TestDecision.Skipped("rankunit.platform = a2a3, but this machine has no a2a3 device (it has"
                                + " a2a3sim: 4, a5sim: 4); \"rankunit doctor\" shows what it looks for; to run on a2a3sim or a5sim,"
                                + " give that or leave rankunit.platform out"));
        assertThat(decision(HardwareAlone.class, on(A2A3), SIMULATORS))
                .isEqualTo(
                        new TestDecision.Skipped("rankunit.platform = a2a3, but this machine has no a2a3 device (it has"
                                + " a2a3sim: 4, a5sim: 4); \"rankunit doctor\" shows what it looks for"));
    }

    @Test
    void buffersThatTheMemoryOfThisMachineCannotHoldAreRefusedWithBothNumbers() {
        DevicesHere small = new DevicesHere(
                Map.of(A2A3, 2, A2A3SIM, 4), Optional.empty(), Map.of(), kind -> Optional.empty(), 9999);
        assertThat(decision(Buffers.class, on(A2A3SIM), small))
                .isEqualTo(new TestDecision.Refused(Buffers.class.getName()
                        + ".test: its buffers in device memory take 10000 bytes on 2 ranks of the simulator, but this"
                        + " machine or container has 9999 bytes of memory and swap. Make them smaller, or run the test"
                        + " on fewer ranks."));
        assertThat(decision(Buffers.class, on(A2A3), small)).isInstanceOf(TestDecision.Runs.class);
        DevicesHere enough =
                new DevicesHere(Map.of(A2A3SIM, 4), Optional.empty(), Map.of(), kind -> Optional.empty(), 10_000);
        assertThat(decision(Buffers.class, on(A2A3SIM), enough)).isInstanceOf(TestDecision.Runs.class);
    }

    @Test
    void aMachineWithoutAnyDeviceSaysSo() {
        assertThat(decision(AnyPlatform.class, settings(), Map.of()))
                .isEqualTo(new TestDecision.Skipped(
                        "runs on any platform, but this machine has no such device (it has none)"));
    }

    @Test
    void aTestThatNeedsMoreDevicesThanThereAreIsSkipped() {
        assertThat(decision(FiveRanks.class, settings(), SIMULATORS))
                .isEqualTo(new TestDecision.Skipped("needs 5 devices, a2a3 has 0, a5 has 0, a2a3sim has 4, a5sim has 4"
                        + " (rankunit.sim.devices)"));
    }

    @Test
    void hardwareIsNotMadeMoreByTheSimulatorsKey() {
        assertThat(decision(FiveRanks.class, on(A2A3), Map.of(A2A3, 2)))
                .isEqualTo(new TestDecision.Skipped("needs 5 devices, a2a3 has 2"));
    }

    @Test
    void aTestThatNeedsMoreThanTheSliceHasIsSkippedWithTheNumbers() {
        DevicesHere slice = new DevicesHere(
                Map.of(A2A3, 4),
                Optional.of("rankunit.devices = \"4-7\""),
                Map.of(),
                kind -> Optional.empty(),
                Long.MAX_VALUE);
        assertThat(decision(FiveRanks.class, settings(), slice))
                .isEqualTo(new TestDecision.Skipped("needs 5 devices, this slice has 4 (rankunit.devices = \"4-7\")"));
    }

    @Test
    void aNumberOfDevicesThatTheTopologyForbidsIsSkippedWithTheRule() {
        DevicesHere pairs = new DevicesHere(
                Map.of(A2A3, 16),
                Optional.empty(),
                Map.of(),
                kind -> kind.ranks() % 2 == 0 ? Optional.empty() : Optional.of("needs " + kind.ranks() + ", and pairs"),
                Long.MAX_VALUE);
        assertThat(decision(FiveRanks.class, on(A2A3), pairs))
                .isEqualTo(new TestDecision.Skipped("needs 5, and pairs"));
        assertThat(decision(AnyPlatform.class, on(A2A3), pairs)).isInstanceOf(TestDecision.Runs.class);
    }

    @Test
    void whyThereAreNoDevicesIsSaidWhereItIsKnown() {
        DevicesHere unusable = new DevicesHere(
                SIMULATORS,
                Optional.empty(),
                Map.of(A2A3, "nobody can use them"),
                kind -> Optional.empty(),
                Long.MAX_VALUE);
        assertThat(decision(HardwareAlone.class, settings(), unusable))
                .isEqualTo(new TestDecision.Skipped(
                        "runs on a2a3, but this machine has no such device (it has a2a3sim: 4, a5sim: 4);"
                                + " nobody can use them"));
    }

    @Test
    void aTestThatNeedsMoreDevicesThanThereAreFailsWhereDevicesAreRequired() {
        assertThat(decision(FiveRanks.class, requiring("rankunit.platform", "a2a3"), Map.of(A2A3, 2)))
                .isEqualTo(new TestDecision.Refused(FiveRanks.class.getName()
                        + ".test: needs 5 devices, a2a3 has 2, and rankunit.require-devices = true"));
    }

    @Test
    void aMachineWithoutTheDevicesOfItsPlatformFailsWhereDevicesAreRequired() {
        assertThat(decision(HardwareAlone.class, requiring("rankunit.platform", "a2a3"), SIMULATORS))
                .isEqualTo(new TestDecision.Refused(HardwareAlone.class.getName()
                        + ".test: rankunit.platform = a2a3, but this machine has no a2a3 device (it has a2a3sim: 4,"
                        + " a5sim: 4); \"rankunit doctor\" shows what it looks for, and rankunit.require-devices ="
                        + " true"));
    }

    @Test
    void whatIsNotOfThisRunIsSkippedAlsoWhereDevicesAreRequired() {
        assertThat(decision(HardwareAlone.class, requiring("rankunit.platform", "a2a3sim"), SIMULATORS))
                .isInstanceOf(TestDecision.Skipped.class);
        assertThat(decision(FiveRanks.class, requiring("rankunit.only-world-sizes", "2"), SIMULATORS))
                .isInstanceOf(TestDecision.Skipped.class);
    }

    @Test
    void whatFitsRunsAlsoWhereDevicesAreRequired() {
        assertThat(decision(AnyPlatform.class, requiring("rankunit.platform", "auto"), SIMULATORS))
                .isInstanceOf(TestDecision.Runs.class);
    }

    @Test
    void aTestRunsInOneShardAndIsSkippedInTheOthers() {
        List<TestDecision> decisions = IntStream.rangeClosed(1, 3)
                .mapToObj(n -> decision(AnyPlatform.class, with("rankunit.shard", n + "/3"), SIMULATORS))
                .toList();
        int own = decisions.indexOf(new TestDecision.Runs(A2A3SIM, List.of())) + 1;

        assertThat(own).isPositive();
        assertThat(decisions)
                .filteredOn(TestDecision.Skipped.class::isInstance)
                .hasSize(2)
                .allSatisfy(decision -> assertThat(((TestDecision.Skipped) decision).reason())
                        .matches("in shard " + own + " of 3 \\(rankunit\\.shard = [1-3]/3\\)"));
    }

    @Test
    void aMistakeIsToldByItsOwnShardAlone() {
        List<TestDecision> decisions = IntStream.rangeClosed(1, 3)
                .mapToObj(n -> decision(Mistaken.class, with("rankunit.shard", n + "/3"), SIMULATORS))
                .toList();

        assertThat(decisions).filteredOn(TestDecision.Refused.class::isInstance).hasSize(1);
        assertThat(decisions).filteredOn(TestDecision.Skipped.class::isInstance).hasSize(2);
    }

    @Test
    void aNumberOfRanksThatIsLeftOutIsSkipped() {
        assertThat(decision(AnyPlatform.class, withRanks(4, 1), SIMULATORS))
                .isEqualTo(new TestDecision.Skipped("rankunit.only-world-sizes = 1,4 leaves out 2 ranks"));
    }

    @Test
    void aMistakeIsRefusedAlsoWhereTheTestWouldBeSkipped() {
        assertThat(decision(Mistaken.class, withRanks(4), Map.of()))
                .isEqualTo(new TestDecision.Refused(Mistaken.class.getName()
                        + ".test: @DeviceCount(0): a test cannot run on 0 ranks. Give numbers from 1 to 64."));
    }

    @Test
    void buffersThatDoNotFitTheWindowAreRefused() {
        assertThat(decision(Buffers.class, withWindow(1087), SIMULATORS))
                .isEqualTo(new TestDecision.Refused(Buffers.class.getName()
                        + ".test: its buffers need 1088 bytes of the window, which has 1087; the largest is 'large' on "
                        + Buffers.class.getName()
                        + ".test with 800 bytes. Make them smaller, or set rankunit.window-size."));
    }

    @Test
    void buffersThatJustFitTheWindowRun() {
        assertThat(decision(Buffers.class, withWindow(1088), SIMULATORS)).isInstanceOf(TestDecision.Runs.class);
    }

    @Test
    void groupsComeInTheOrderOfTheirNumberOfRanks() {
        assertThat(plan(Several.class, settings(), SIMULATORS).groups())
                .extracting(GroupPlan::variant)
                .containsExactly("[1 rank, a5sim]", "[2 ranks, a2a3sim]", "[4 ranks, a2a3sim]");
    }

    @Test
    void theTestsOfAGroupKeepTheirOrder() {
        assertThat(plan(Several.class, settings(), SIMULATORS).groups().get(1).tests())
                .extracting(test -> test.node().getLegacyReportingName())
                .containsExactly("a() [2 ranks]", "c()");
    }

    @Test
    void whatDoesNotRunNeedsNoGroup() {
        assertThat(plan(FiveRanks.class, settings(), SIMULATORS).groups()).isEmpty();
    }

    @Test
    void aRuntimeThatTheKeyDoesNotNameIsSkippedAndTestsWithoutARuntimeRun() {
        Settings settings = with("rankunit.runtime", "r2");

        assertThat(plan(Runtimes.class, settings, SIMULATORS).tests())
                .extracting(PlannedTest::decision)
                .containsExactly(
                        new TestDecision.Skipped("rankunit.runtime = r2 leaves out r1"),
                        new TestDecision.Runs(A2A3SIM, List.of()));
        assertThat(plan(Runtimes.class, settings(), SIMULATORS).groups())
                .extracting(group -> group.kind().runtime())
                .containsExactlyInAnyOrder("r1", "r2");
        assertThat(decision(AnyPlatform.class, settings, SIMULATORS)).isInstanceOf(TestDecision.Runs.class);
    }

    @Test
    void aMistakeInTheConfigurationRefusesEveryTest() {
        assertThat(Planner.refuseAll(root(Several.class), "rankunit.x = 1")
                        .get(0)
                        .tests())
                .extracting(PlannedTest::decision)
                .containsOnly(new TestDecision.Refused("rankunit.x = 1"))
                .hasSize(5);
    }

    private static TestDecision decision(Class<?> type, Settings settings, Map<Platform, Integer> devices) {
        return plan(type, settings, devices).tests().get(0).decision();
    }

    private static TestDecision decision(Class<?> type, Settings settings, DevicesHere devices) {
        return new Planner(settings, devices, Durations.NONE)
                .plan(root(type))
                .get(0)
                .tests()
                .get(0)
                .decision();
    }

    private static ClassPlan plan(Class<?> type, Settings settings, Map<Platform, Integer> devices) {
        return new Planner(settings, devices).plan(root(type)).get(0);
    }

    private static TestDescriptor root(Class<?> type) {
        EngineDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        DiscoveredTests.addTo(root, type);
        return root;
    }

    private static Settings settings() {
        return Settings.read(key -> Optional.empty(), Set.of());
    }

    private static Settings on(Platform platform) {
        return with("rankunit.platform", platform.id());
    }

    private static Settings withRanks(Integer... ranks) {
        return with(
                "rankunit.only-world-sizes",
                String.join(",", Arrays.stream(ranks).map(String::valueOf).toList()));
    }

    private static Settings withWindow(int bytes) {
        return with("rankunit.window-size", bytes + "B");
    }

    private static Settings requiring(String key, String value) {
        Map<String, String> values = Map.of("rankunit.require-devices", "true", key, value);
        return Settings.read(each -> Optional.ofNullable(values.get(each)), values.keySet());
    }

    private static Settings with(String key, String value) {
        return Settings.read(each -> each.equals(key) ? Optional.of(value) : Optional.empty(), Set.of(key));
    }
}
