package org.rankunit.engine.plan;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.rankunit.engine.discovery.DeviceTest;

/**
 * Splits classes over shards, so that each class is in exactly one shard and the shards take about the same time.
 *
 * <p>A class is never split and stays together with all its variants, so its lifecycle methods and its groups run in only one
 * shard. First come the classes with known durations, whether or not this run contains them; then the other classes of this
 * run. Each class goes to the shard with the least load, the heaviest class first, so that no shard has more than the mean
 * plus one class. A class with known durations is therefore always in the same shard, even in a run of a few classes, or of
 * one class at a time as in the forks of a build tool.
 */
final class Shards {

    /**
     * The decisions made in this JVM. A build tool that reruns failed tests selects only those tests: they must not be treated
     * as a separate suite and moved to another shard.
     */
    private static final Map<Split, Map<String, Integer>> DECIDED = new ConcurrentHashMap<>();

    private record Split(int count, Durations durations) {}

    private Shards() {}

    /**
     * Find the shard of each class of these tests, counted from 1.
     *
     * @param tests all discovered tests, in any order, whether or not they can run here
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

    /** The name breaks ties between equally loaded shards, so that classes selected one by one are not all in the first. */
    private static int leastLoaded(long[] loads, String name) {
        int least = Math.floorMod(name.hashCode(), loads.length);
        for (int i = 1; i < loads.length; i++) {
            int next = (Math.floorMod(name.hashCode(), loads.length) + i) % loads.length;
            least = loads[next] < loads[least] ? next : least;
        }
        return least;
    }

    /** Device-microseconds of each class. If a variant has records of several platforms, the longest counts. */
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

    /** The weight of each rank of a test without a record: the mean of those with a record, or 1 if there are none. */
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
