package org.rankunit.engine.plan;

import java.time.Duration;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.rankunit.engine.protocol.TestDeclaration;

/**
 * How long tests took in earlier runs, and how long groups took to start; the content of the durations file. Immutable.
 *
 * @param version version of the file format
 * @param classes the times of each class: of each variant of its tests, by {@link #keyOf unique names}, and the time it
 *     takes {@link TestKey#besideTests beside} them
 * @param starts the start time of a group of each {@link GroupPlan#variant variant}
 */
public record Durations(int version, Map<String, Map<String, Recorded>> classes, Map<String, Recorded> starts) {

    public static final Durations NONE = of(Map.of(), Map.of());

    private static final int VERSION = 1;

    /** Factor on the usual time of a group's tests. */
    private static final double MARGIN = 1.5;

    /** Maximum number of test variants that are kept, a few megabytes. */
    static final int MAX_KEPT = 20_000;

    static final int DAYS_KEPT = 90;

    public Durations {
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "it has version " + version + ", but this RankUnit knows version " + VERSION);
        }
        SortedMap<String, Map<String, Recorded>> sorted = new TreeMap<>();
        classes.forEach((name, tests) -> sorted.put(name, Collections.unmodifiableSortedMap(new TreeMap<>(tests))));
        classes = Collections.unmodifiableSortedMap(sorted);
        starts = Collections.unmodifiableSortedMap(new TreeMap<>(starts));
    }

    public static Durations of(Map<String, Map<String, Recorded>> classes, Map<String, Recorded> starts) {
        return new Durations(VERSION, classes, starts);
    }

    /** Name one variant of a test within its class. */
    public static String keyOf(TestKey test, String variant) {
        return (test.name() + " " + variant).strip();
    }

    /**
     * How long the group of this plan is expected to work, rather too long than too short: 1.5 times the usual time of its
     * tests plus its start. Tests without a record count like the average of the others. Empty if no test has a record.
     */
    public Optional<Duration> expected(GroupPlan plan) {
        OptionalLong usual = usual(plan);
        if (usual.isEmpty()) {
            return Optional.empty();
        }
        Recorded start = starts.get(plan.variant());
        long micros = Math.round(usual.getAsLong() * MARGIN) + (start == null ? 0 : start.usual());
        return Optional.of(Duration.ofNanos(micros * 1_000));
    }

    /** How many microseconds this plan usually takes on its group; empty if none of its tests has a record. */
    public OptionalLong usual(GroupPlan plan) {
        long known = 0;
        long sum = 0;
        long beside = 0;
        for (PlannedTest test : plan.tests()) {
            TestKey key = TestKey.of(test.test());
            Optional<Recorded> recorded = of(key, plan);
            known += recorded.isPresent() ? 1 : 0;
            // What is recorded is the time of all seeds together.
            TestDeclaration.Shake shake = test.test().declaration().shake();
            int plans = shake == null ? 1 : shake.seeds();
            sum += recorded.map(Recorded::usual).orElse(0L) / plans;
            beside = of(TestKey.besideTests(key.className()), plan)
                            .map(Recorded::usual)
                            .orElse(0L)
                    / plans;
        }
        return known == 0
                ? OptionalLong.empty()
                : OptionalLong.of(
                        beside + Math.round((double) sum * plan.tests().size() / known));
    }

    /** How many microseconds one test of this plan usually takes, with all its seeds; empty if it has no record. */
    public OptionalLong usual(GroupPlan plan, PlannedTest test) {
        Optional<Recorded> recorded = of(TestKey.of(test.test()), plan);
        return recorded.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(recorded.get().usual());
    }

    private Optional<Recorded> of(TestKey key, GroupPlan plan) {
        return Optional.ofNullable(
                classes.getOrDefault(key.className(), Map.of()).get(keyOf(key, plan.variant())));
    }

    /**
     * Add later measurements. Tests that have not run for a long time are dropped, since they may no longer exist.
     *
     * @param before earlier records of tests that have no record here
     */
    public Durations with(Durations measured, Durations before) {
        SortedMap<String, Map<String, Recorded>> all = new TreeMap<>(classes);
        measured.classes.forEach((name, tests) -> all.put(
                name,
                merged(classes.getOrDefault(name, Map.of()), tests, before.classes.getOrDefault(name, Map.of()))));
        SortedMap<String, Map<String, Recorded>> kept = new TreeMap<>();
        newest(all)
                .forEach(entry -> kept.computeIfAbsent(entry.className, name -> new TreeMap<>())
                        .put(entry.key, entry.recorded));
        return of(kept, merged(starts, measured.starts, before.starts));
    }

    private static Map<String, Recorded> merged(
            Map<String, Recorded> present, Map<String, Recorded> later, Map<String, Recorded> before) {
        Map<String, Recorded> merged = new TreeMap<>(present);
        later.forEach((key, measured) -> {
            Recorded known = present.getOrDefault(key, before.get(key));
            merged.put(key, known == null ? measured : known.then(measured));
        });
        return merged;
    }

    private record Entry(String className, String key, Recorded recorded) {}

    /** The entries to keep: a limited number, and only those recent relative to the newest record, not to the clock. */
    private static List<Entry> newest(Map<String, Map<String, Recorded>> all) {
        List<Entry> entries = all.entrySet().stream()
                .flatMap(type -> type.getValue().entrySet().stream()
                        .map(test -> new Entry(type.getKey(), test.getKey(), test.getValue())))
                .sorted(Comparator.comparing((Entry entry) -> entry.recorded.last(), Comparator.reverseOrder()))
                .limit(MAX_KEPT)
                .toList();
        if (entries.isEmpty()) {
            return entries;
        }
        LocalDate oldest = LocalDate.parse(entries.get(0).recorded.last()).minusDays(DAYS_KEPT);
        return entries.stream()
                .filter(entry -> !LocalDate.parse(entry.recorded.last()).isBefore(oldest))
                .toList();
    }
}
