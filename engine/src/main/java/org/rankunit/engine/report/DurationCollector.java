package org.rankunit.engine.report;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.merge.RankEnd;
import org.rankunit.engine.merge.TestResult;
import org.rankunit.engine.merge.Verdict;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.Recorded;
import org.rankunit.engine.plan.TestKey;

/**
 * Collects how long the tests of one run took. Thread-safe: groups work on threads of their own.
 *
 * <p>What counts is a whole planned test: of a template or a factory all its invocations together. It counts if it was asked
 * for as a whole, and if everything in it that began also ended by itself, passed or failed: how long a test ran until it was
 * given up, or until its process died, says nothing of how long it takes.
 */
public final class DurationCollector {

    private static final long NANOS_PER_MICRO = 1_000;

    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final Map<Key, Long> nanos = new TreeMap<>();
    private final Set<Key> brokenOff = new HashSet<>();
    private final Map<String, Recorded> starts = new TreeMap<>();

    private record Key(String className, String test, String platform, int ranks) implements Comparable<Key> {

        @Override
        public int compareTo(Key other) {
            return toString().compareTo(other.toString());
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
        if (test.isEmpty() || result.platform().isEmpty() || isPartial(test.get())) {
            return;
        }
        TestKey name = TestKey.of(test.get());
        Key key = new Key(name.className(), name.name(), result.platform(), result.ranks());
        if (result.verdict() instanceof Verdict.Passed || result.verdict() instanceof Verdict.Failed) {
            nanos.merge(key, result.runNanos() + result.verifyNanos(), Long::sum);
            if (!endedByItself(result)) {
                brokenOff.add(key);
            }
        }
    }

    /** Everything that was measured, each once. */
    public synchronized Durations measured() {
        Map<String, Map<String, Recorded>> classes = new TreeMap<>();
        nanos.forEach((key, sum) -> {
            if (!brokenOff.contains(key)) {
                String name = Durations.keyOf(
                        new TestKey(key.className, key.test), GroupPlan.variant(key.ranks, key.platform));
                classes.computeIfAbsent(key.className, type -> new TreeMap<>())
                        .put(name, Recorded.first(key.platform, key.ranks, today, sum / NANOS_PER_MICRO));
            }
        });
        return Durations.of(classes, starts);
    }

    /** Only some invocations of it were asked for, as when those that failed run again. */
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

    /** A wait that took too long is no natural end, though it is a failure of the test itself. */
    private static boolean isNaturalEnd(RankOutcome outcome) {
        return outcome instanceof RankOutcome.Passed
                || outcome instanceof RankOutcome.Released
                || (outcome instanceof RankOutcome.Failed failed
                        && failed.standstill().isEmpty());
    }
}
