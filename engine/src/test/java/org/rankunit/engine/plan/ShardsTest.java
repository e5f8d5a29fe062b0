package org.rankunit.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.plan.PlannedClasses.recorded;
import static org.rankunit.engine.plan.PlannedClasses.test;
import static org.rankunit.engine.plan.PlannedClasses.took;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.discovery.DeviceTest;

@Tag("unit")
class ShardsTest {

    private static final int MAX_SHARDS = 16;

    @RepeatedTest(200)
    void anySuiteIsSplitWholeAndEvenlyInWhateverOrderItIsFound(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Map<String, Long> known = anyWeights(random, "Known");
        Map<String, Long> unknown = anyWeights(random, "Unknown");
        Map<String, Long> all = new HashMap<>(known);
        all.putAll(unknown);
        long longest = all.values().stream().mapToLong(Long::longValue).max().orElse(0);
        double sum = all.values().stream().mapToLong(Long::longValue).sum();

        for (int count = 1; count <= MAX_SHARDS; count++) {
            int number = count;
            Map<String, Integer> shards = Shards.split(known, unknown, count);

            assertThat(shards.keySet()).isEqualTo(all.keySet());
            assertThat(shards.values())
                    .filteredOn(shard -> shard < 1 || shard > number)
                    .isEmpty();
            Map<Integer, Long> loads = shards.entrySet().stream()
                    .collect(Collectors.groupingBy(
                            Map.Entry::getValue, Collectors.summingLong(type -> all.getOrDefault(type.getKey(), 0L))));
            assertThat(loads.values())
                    .filteredOn(load -> load > sum / number + longest)
                    .isEmpty();
            assertThat(Shards.split(shuffled(known, random), shuffled(unknown, random), count))
                    .isEqualTo(shards);
        }
    }

    @RepeatedTest(50)
    void whereAKnownClassIsDoesNotDependOnTheOthersThatAreAskedFor(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        Durations durations = durations(anyWeights(random, "Known"));
        List<DeviceTest> suite = new ArrayList<>(List.of(test("New", "a()", 2)));
        durations.classes().keySet().forEach(name -> suite.add(test(name, "a()", 1)));
        int count = 2 + random.nextInt(MAX_SHARDS - 1);

        Map<String, Integer> shards = Shards.of(suite, count, durations);

        for (DeviceTest alone : suite.subList(1, suite.size())) {
            String name = TestKey.of(alone).className();
            assertThat(Shards.split(weights(durations), Map.of(), count)).containsEntry(name, shards.get(name));
        }
    }

    @Test
    void longClassesGoToDifferentShardsAndShortOnesBesideThem() {
        Map<String, Integer> shards =
                Shards.split(Map.of("Long", 70L, "Middle", 40L, "Short", 20L, "Tiny", 10L), Map.of(), 2);

        assertThat(shards.get("Middle"))
                .isEqualTo(shards.get("Short"))
                .isEqualTo(shards.get("Tiny"))
                .isNotEqualTo(shards.get("Long"));
    }

    @Test
    void aClassThatIsLongerThanAFairShareStaysWhole() {
        Map<String, Integer> shards = Shards.split(Map.of("Huge", 1000L, "A", 10L, "B", 10L, "C", 10L), Map.of(), 3);

        assertThat(shards.values())
                .filteredOn(shard -> shard.equals(shards.get("Huge")))
                .hasSize(1);
    }

    @Test
    void withoutDurationsEachRankOfATestCountsTheSame() {
        Map<String, Integer> shards = Shards.of(
                List.of(
                        test("org.example.Wide", "a()", 8),
                        test("org.example.Many", "a()", 2),
                        test("org.example.Many", "b()", 2),
                        test("org.example.Few", "a()", 2),
                        test("org.example.Single", "a()", 2)),
                2,
                Durations.NONE);

        assertThat(shards.get("org.example.Many"))
                .isEqualTo(shards.get("org.example.Few"))
                .isEqualTo(shards.get("org.example.Single"))
                .isNotEqualTo(shards.get("org.example.Wide"));
    }

    @Test
    void allVariantsOfAClassAreInTheSameShard() {
        Map<String, Integer> shards = Shards.of(
                List.of(test("AllOfMe", "a()", 1), test("AllOfMe", "a()", 2), test("AllOfMe", "a()", 4)),
                3,
                Durations.NONE);

        assertThat(shards).containsOnlyKeys("AllOfMe");
    }

    @Test
    void aTestThatIsRunAgainStaysInItsShard() {
        List<DeviceTest> suite = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            suite.add(test("again.Class" + i, "a()", 1 + i));
        }
        Map<String, Integer> shards = Shards.of(suite, 4, Durations.NONE);

        for (DeviceTest alone : suite) {
            assertThat(shards).containsAllEntriesOf(Shards.of(List.of(alone), 4, Durations.NONE));
        }
    }

    @Test
    void classesThatAreAskedForOneByOneAreNotAllInTheSameShard() {
        List<Integer> shards = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            shards.addAll(Shards.split(Map.of(), Map.of("org.example.Class" + i + "Test", 1L), 4)
                    .values());
        }

        assertThat(shards).contains(1, 2, 3, 4);
    }

    @Test
    void whatIsKnownOfSeveralPlatformsCountsOnceWhereItIsTheLongest() {
        Map<String, Recorded> both = new TreeMap<>(took(30, 2));
        both.put("method:a() [2 ranks, a5sim]", new Recorded("a5sim", 2, "2026-03-01", List.of(50L)));
        Map<String, Map<String, Recorded>> classes = Map.of(
                "Both", both,
                "Other", Map.of("method:a() [1 rank, a2a3sim]", recorded(1, 120L)),
                "Third", Map.of("method:a() [1 rank, a2a3sim]", recorded(1, 110L)));

        Map<String, Integer> shards = Shards.of(
                List.of(test("Both", "a()", 2), test("Other", "a()", 1), test("Third", "a()", 1)),
                2,
                Durations.of(classes, Map.of()));

        // Both counts 100: by the sum of its platforms it would be alone.
        assertThat(shards.get("Both")).isEqualTo(shards.get("Third")).isNotEqualTo(shards.get("Other"));
    }

    @Test
    void aTestOfWhichNothingIsKnownCountsAsThoseThatAreKnownDo() {
        Map<String, Recorded> known = new TreeMap<>(took(100, 2));
        known.put("beside its tests [2 ranks, a2a3sim]", recorded(2, 50L));
        Durations durations = Durations.of(Map.of("Known", known, "Least", took(160, 1)), Map.of());

        // 300, 160, and for the new one two ranks of 460 / 3: it goes to the shard of the least.
        Map<String, Integer> shards = Shards.of(
                List.of(
                        test("Known", "a()", 2),
                        test("Least", "a()", 1),
                        test("Middle", "a()", 2),
                        test("New", "a()", 1)),
                2,
                durations);

        assertThat(shards.get("Middle")).isEqualTo(shards.get("Least")).isNotEqualTo(shards.get("Known"));
        assertThat(shards.get("New")).isEqualTo(shards.get("Known"));
    }

    private static Map<String, Long> anyWeights(Random random, String prefix) {
        Map<String, Long> weights = new HashMap<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            weights.put(prefix + i, 1L + (random.nextBoolean() ? random.nextInt(20) : random.nextInt(100_000)));
        }
        return weights;
    }

    private static Map<String, Long> shuffled(Map<String, Long> weights, Random random) {
        List<Map.Entry<String, Long>> entries = new ArrayList<>(weights.entrySet());
        Collections.shuffle(entries, random);
        Map<String, Long> shuffled = new LinkedHashMap<>();
        entries.forEach(entry -> shuffled.put(entry.getKey(), entry.getValue()));
        return shuffled;
    }

    private static Durations durations(Map<String, Long> weights) {
        Map<String, Map<String, Recorded>> classes = new TreeMap<>();
        weights.forEach((name, micros) -> classes.put(name, took(micros, 1)));
        return Durations.of(classes, Map.of());
    }

    private static Map<String, Long> weights(Durations durations) {
        Map<String, Long> weights = new HashMap<>();
        durations
                .classes()
                .forEach((name, tests) -> weights.put(
                        name, tests.values().stream().mapToLong(Recorded::usual).sum()));
        return weights;
    }
}
