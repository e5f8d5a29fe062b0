package org.rankunit.engine.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.opentest4j.TestAbortedException;
import org.rankunit.DeviceCount;
import org.rankunit.engine.config.Platform;
import org.rankunit.engine.config.Settings;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.discovery.DiscoveredTests;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Planner;
import org.rankunit.engine.plan.Recorded;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.RankOutcome;

@Tag("unit")
class DurationCollectorTest {

    private static final RankOutcome PASSED = new RankOutcome.Passed();
    private static final Failure FAILURE =
            new Failure("java.lang.AssertionError", "wrong", true, null, null, List.of(), null, List.of());
    private static final Verdict FAILED = new Verdict.Failed(new AssertionError("wrong"));

    private final DurationCollector collector = new DurationCollector();
    private final TestDescriptor root = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");

    @BeforeEach
    void discover() {
        DiscoveredTests.addTo(root, Case.class);
    }

    @DeviceCount(2)
    static class Case {

        @Test
        void plain() {}

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void several(int value) {}
    }

    @Test
    void aTestTookWhatItRanAndWhatItsGoldensTook() {
        collector.add(result(node("plain"), new Verdict.Passed(), 3_000, PASSED, PASSED));

        assertThat(micros()).isEqualTo(Map.of("method:plain() [2 ranks, a2a3sim]", List.of(3L + 1)));
    }

    @Test
    void aFailureThatCameByItselfCountsWithThoseItReleased() {
        collector.add(result(
                node("plain"), FAILED, 3_000, new RankOutcome.Failed(FAILURE), new RankOutcome.Released(0, FAILURE)));

        assertThat(micros()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("unnaturalEnds")
    void whatWasGivenUpOrDiedDoesNotCount(RankOutcome outcome) {
        collector.add(result(node("plain"), FAILED, 300_000_000, outcome, new RankOutcome.Released(0, FAILURE)));

        assertThat(collector.measured()).isEqualTo(Durations.NONE);
    }

    static List<RankOutcome> unnaturalEnds() {
        return List.of(
                new RankOutcome.Unfinished("its time was over", ""),
                new RankOutcome.Died("exited with 1", ""),
                new RankOutcome.Failed(FAILURE, "all ranks wait for each other", 0));
    }

    @Test
    void whatHasNoEndOnSomeRankDoesNotCount() {
        collector.add(result(node("plain"), FAILED, 3_000, PASSED));

        assertThat(collector.measured()).isEqualTo(Durations.NONE);
    }

    @Test
    void whatWasSkippedOrGaveUpDoesNotCount() {
        collector.add(result(node("plain"), new Verdict.Skipped("today"), 0));
        collector.add(
                result(node("several"), new Verdict.Aborted(new TestAbortedException("no")), 3_000, PASSED, PASSED));

        assertThat(collector.measured()).isEqualTo(Durations.NONE);
    }

    @Test
    void theInvocationsOfATemplateCountTogether() {
        DeviceTestDescriptor template = node("several");
        collector.add(result(invocation(template, 1), new Verdict.Passed(), 3_000, PASSED, PASSED));
        collector.add(result(invocation(template, 2), new Verdict.Passed(), 4_000, PASSED, PASSED));

        assertThat(micros()).isEqualTo(Map.of("test-template:several(int) [2 ranks, a2a3sim]", List.of(7L + 2)));
    }

    @Test
    void anInvocationThatWasGivenUpTakesItsTemplateWithIt() {
        DeviceTestDescriptor template = node("several");
        collector.add(result(invocation(template, 1), new Verdict.Passed(), 3_000, PASSED, PASSED));
        collector.add(result(
                invocation(template, 2), FAILED, 4_000, new RankOutcome.Unfinished("its time was over", ""), PASSED));

        assertThat(collector.measured()).isEqualTo(Durations.NONE);
    }

    @Test
    void someInvocationsSayNothingOfTheirTemplate() {
        TestDescriptor some = new EngineDescriptor(UniqueId.forEngine("rankunit"), "RankUnit");
        String template = "[engine:rankunit]/[class:" + Case.class.getName() + "]/[test-template:several(int)]";
        DiscoveredTests.addTo(some, selectUniqueId(template + "/[test-template-invocation:#2]"));

        collector.add(result(invocation(node(some, "several"), 2), new Verdict.Passed(), 3_000, PASSED, PASSED));

        assertThat(collector.measured()).isEqualTo(Durations.NONE);
    }

    @Test
    void theStartOfItsGroupIsKeptForItself() {
        GroupPhases phases = new GroupPhases(7_000_000, 9_000_000, 5_000, 2_000, 0, false, GroupPhases.Goldens.READY);
        collector.add(result(node("plain"), new Verdict.Passed(), phases, 3_000, PASSED, PASSED));

        assertThat(collector.measured().starts().get("[2 ranks, a2a3sim]"))
                .extracting(Recorded::micros)
                .isEqualTo(List.of(7L));
    }

    @Test
    void whatAClassTakesBesideItsTestsIsTheRestOfWhatItsGroupWorked() {
        collector.add(group(), 20_000);
        collector.add(result(node("plain"), new Verdict.Passed(), 3_000, PASSED, PASSED));
        collector.add(result(invocation(node("several"), 1), new Verdict.Passed(), 4_000, PASSED, PASSED));

        assertThat(micros()).containsEntry("beside its tests [2 ranks, a2a3sim]", List.of(20L - 4 - 5));
    }

    @Test
    void whatTestsTookOnAGroupThatFailedIsNotTakenForThatOfAnother() {
        collector.add(group(), 20_000);
        collector.add(result(node("plain"), FAILED, 30_000, new RankOutcome.Failed(FAILURE), PASSED));

        assertThat(micros()).containsOnlyKeys("method:plain() [2 ranks, a2a3sim]");
    }

    private GroupPlan group() {
        Settings settings = Settings.read(key -> Optional.empty(), Set.of());
        return new Planner(settings, Map.of(Platform.A2A3SIM, 2))
                .plan(root)
                .get(0)
                .groups()
                .get(0);
    }

    private Map<String, List<Long>> micros() {
        Map<String, List<Long>> micros = new TreeMap<>();
        collector.measured().classes().forEach((name, tests) -> {
            assertThat(name).isEqualTo(Case.class.getName());
            tests.forEach((key, recorded) -> micros.put(key, recorded.micros()));
        });
        return micros;
    }

    private DeviceTestDescriptor node(String method) {
        return node(root, method);
    }

    private static DeviceTestDescriptor node(TestDescriptor root, String method) {
        return root.getDescendants().stream()
                .filter(node -> node.getLegacyReportingName().startsWith(method + "("))
                .map(DeviceTestDescriptor.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static DeviceTestDescriptor invocation(DeviceTestDescriptor template, int number) {
        DeviceTestDescriptor node = DeviceTestDescriptor.dynamic(
                template.getUniqueId().append("test-template-invocation", "#" + number),
                "[" + number + "]",
                null,
                true,
                "several(int)[" + number + "]",
                Set.of(),
                "");
        template.addChild(node);
        return node;
    }

    private static TestResult result(DeviceTestDescriptor node, Verdict verdict, long nanos, RankOutcome... outcomes) {
        return result(node, verdict, GroupPhases.KEPT, nanos, outcomes);
    }

    private static TestResult result(
            DeviceTestDescriptor node, Verdict verdict, GroupPhases phases, long nanos, RankOutcome... outcomes) {
        SortedMap<Integer, RankEnd> ends = new TreeMap<>();
        for (RankOutcome outcome : outcomes) {
            ends.put(ends.size(), new RankEnd(outcome, List.of(), 0, 0, 0));
        }
        return new TestResult(
                node,
                2,
                "a2a3sim",
                List.of(DeviceRef.here(0), DeviceRef.here(1)),
                1,
                verdict,
                ends,
                List.of(),
                phases,
                nanos,
                1_000,
                "",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                "",
                OptionalLong.empty(),
                List.of());
    }
}
