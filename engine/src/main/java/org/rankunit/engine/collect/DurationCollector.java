package org.rankunit.engine.collect;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Recorded;
import org.rankunit.engine.plan.TestKey;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * Collects how long the tests of one run took. Thread-safe: groups work on separate threads.
 *
 * <p>The unit is a whole planned test: for a template or a factory, all its invocations together. It counts if it was selected
 * as a whole, and if everything in it that started also ended by itself, passed or failed: how long a test ran before it was
 * given up, or before its process died, says nothing about how long it takes.
 */
public final class DurationCollector {

    private static final long NANOS_PER_MICRO = 1_000;

    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final Map<Key, Long> nanos = new HashMap<>();

    /** The time that groups worked for classes, minus the time of the tests; used only if the groups worked without a fault. */
    private final Map<Key, Long> nanosBeside = new HashMap<>();

    private final Set<Key> withoutFault = new HashSet<>();
    private final Set<Key> brokenOff = new HashSet<>();
    private final Map<String, Recorded> starts = new TreeMap<>();

    private record Key(TestKey test, String platform, int ranks) {

        String name() {
            return Durations.keyOf(test, GroupPlan.variant(ranks, platform));
        }

        Key besideTests() {
            return new Key(TestKey.besideTests(test.className()), platform, ranks);
        }
    }

    /** Add one result. */
    public synchronized void add(TestResult result) {
        long start = result.phases().startNanos() + result.phases().bootstrapNanos();
        if (start > 0) {
            Recorded recorded = Recorded.first(result.platform(), result.ranks(), today, start / NANOS_PER_MICRO);
            starts.merge(GroupPlan.variant(result.ranks(), result.platform()), recorded, Recorded::then);
        }
        Optional<DeviceTest> test = plannedTest(result.test());
        if (test.isEmpty() || result.platform().isEmpty()) {
            return;
        }
        Key key = new Key(TestKey.of(test.get()), result.platform(), result.ranks());
        long took = result.runNanos() + result.verifyNanos();
        nanosBeside.merge(key.besideTests(), -took, Long::sum);
        boolean ended = result.verdict() instanceof Verdict.Passed || result.verdict() instanceof Verdict.Failed;
        if (ended && !isPartial(test.get())) {
            nanos.merge(key, took, Long::sum);
            if (!endedByItself(result)) {
                brokenOff.add(key);
            }
        }
    }

    /** Add how long a group worked for all tests of a plan, without a fault. */
    public synchronized void add(GroupPlan plan, long groupNanos) {
        TestKey any = TestKey.of(plan.tests().get(0).test());
        Key key = new Key(any, plan.platform().id(), plan.ranks()).besideTests();
        nanosBeside.merge(key, groupNanos, Long::sum);
        withoutFault.add(key);
    }

    /** Everything that was measured, as one record each. */
    public synchronized Durations measured() {
        Map<Key, Long> all = new HashMap<>(nanos);
        all.keySet().removeAll(brokenOff);
        nanosBeside.forEach((key, sum) -> {
            if (sum >= 0 && withoutFault.contains(key)) {
                all.put(key, sum);
            }
        });
        Map<String, Map<String, Recorded>> classes = new TreeMap<>();
        all.forEach((key, sum) -> classes.computeIfAbsent(key.test.className(), type -> new TreeMap<>())
                .put(key.name(), Recorded.first(key.platform, key.ranks, today, sum / NANOS_PER_MICRO)));
        return Durations.of(classes, starts);
    }

    /** Whether only some of its invocations were selected, as when failed ones are rerun. */
    private static boolean isPartial(DeviceTest test) {
        return test.selected().size() != 1 || !test.selected().get(0).equals(test.jupiterId());
    }

    private static Optional<DeviceTest> plannedTest(DeviceTestDescriptor node) {
        TestDescriptor at = node;
        while (at instanceof DeviceTestDescriptor descriptor) {
            if (descriptor.test().isPresent()) {
                return descriptor.test();
            }
            at = at.getParent().orElse(null);
        }
        return Optional.empty();
    }

    private static boolean endedByItself(TestResult result) {
        return result.ends().size() == result.ranks()
                && result.ends().values().stream().map(RankEnd::outcome).allMatch(DurationCollector::isNaturalEnd);
    }

    /** A wait that timed out is not a natural end, although it is a failure of the test itself. */
    private static boolean isNaturalEnd(RankOutcome outcome) {
        return outcome instanceof RankOutcome.Passed
                || outcome instanceof RankOutcome.Released
                || (outcome instanceof RankOutcome.Failed failed
                        && failed.standstill().isEmpty());
    }
}
