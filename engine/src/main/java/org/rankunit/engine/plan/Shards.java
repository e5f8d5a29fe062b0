package org.rankunit.engine.plan;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rankunit.engine.discovery.DeviceTest;

/**
 * Splits classes over shards, so that each is in exactly one and the shards take about the same time.
 *
 * <p>A class stays whole, with all its variants: its lifecycle methods and its groups are there once. First the classes that
 * durations are known of are placed, whether or not this run has them; then those of this run that are unknown. Each goes to
 * the shard that has the least, the heaviest class first, so that no shard has more than the mean and one class. So a class of
 * which durations are known is always in the same shard, also in a run that asks for a few classes, or for one at a time as
 * the forks of a build tool do.
 */
final class Shards {

    /**
     * What was decided in this JVM. A build tool that runs failed tests again asks for these alone: they must not be taken
     * for a suite of their own, and come to lie in another shard.
     */
    private static final Map<Split, Map<String, Integer>> DECIDED = new ConcurrentHashMap<>();

    private record Split(int count, Durations durations) {}

    private Shards() {}

    /**
     * Find the shard of each class of these tests, from 1 on.
     *
     * @param tests all that were discovered, in any order, wherever they can run
     */
    static Map<String, Integer> of(List<DeviceTest> tests, int count, Durations durations) {
        Map<String, Long> known = weights(durations);
        long perRank = perRank(durations, known);
        Map<String, Long> wanted = new TreeMap<>();
        for (DeviceTest test : tests) {
            wanted.merge(TestKey.of(test).className(), perRank * Math.max(1, test.ranks()), Long::sum);
        }
        Map<String, Long> unknown = new TreeMap<>(wanted);
        unknown.keySet().removeAll(known.keySet());
        Map<String, Integer> decided =
                DECIDED.computeIfAbsent(new Split(count, durations), split -> new ConcurrentHashMap<>());
        split(known, unknown, count).forEach(decided::putIfAbsent);
        Map<String, Integer> shards = new TreeMap<>(decided);
        shards.keySet().retainAll(wanted.keySet());
        return shards;
    }

    /** Place the known classes, then the unknown ones. */
    static Map<String, Integer> split(Map<String, Long> known, Map<String, Long> unknown, int count) {
        long[] loads = new long[count];
        Map<String, Integer> shards = new TreeMap<>();
        for (Map<String, Long> weights : List.of(known, unknown)) {
            weights.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                            .thenComparing(Map.Entry.comparingByKey()))
                    .forEach(type -> {
                        int shard = leastLoaded(loads, type.getKey());
                        loads[shard] += type.getValue();
                        shards.put(type.getKey(), shard + 1);
                    });
        }
        return shards;
    }

    /** Of equally loaded shards the name chooses, so that classes that are asked for one by one are not all in the first. */
    private static int leastLoaded(long[] loads, String name) {
        int least = Math.floorMod(name.hashCode(), loads.length);
        for (int i = 1; i < loads.length; i++) {
            int next = (Math.floorMod(name.hashCode(), loads.length) + i) % loads.length;
            least = loads[next] < loads[least] ? next : least;
        }
        return least;
    }

    /** Microseconds of one device that each class takes. What is known of several platforms counts where it is the longest. */
    private static Map<String, Long> weights(Durations durations) {
        Map<String, Long> weights = new HashMap<>();
        durations.classes().forEach((name, tests) -> {
            long sum =
                    longest(tests).values().stream().mapToLong(Long::longValue).sum();
            weights.put(name, Math.max(1, sum));
        });
        return weights;
    }

    private static Map<String, Long> longest(Map<String, Recorded> tests) {
        Map<String, Long> longest = new HashMap<>();
        tests.forEach((key, recorded) -> {
            String variant = GroupPlan.variant(recorded.ranks(), recorded.platform());
            longest.merge(key.replace(variant, "") + recorded.ranks(), recorded.usual() * recorded.ranks(), Math::max);
        });
        return longest;
    }

    /** What each rank of a test counts of which nothing is known: as much as each of those that are, else the same. */
    private static long perRank(Durations durations, Map<String, Long> known) {
        long ranks = durations.classes().values().stream()
                .flatMap(tests -> tests.entrySet().stream())
                .filter(test -> !test.getKey().startsWith(TestKey.BESIDE_TESTS))
                .mapToLong(test -> test.getValue().ranks())
                .sum();
        long sum = known.values().stream().mapToLong(Long::longValue).sum();
        return ranks == 0 ? 1 : Math.max(1, sum / ranks);
    }
}
