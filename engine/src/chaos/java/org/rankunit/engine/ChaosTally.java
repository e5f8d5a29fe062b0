package org.rankunit.engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.engine.cases.Fault;
import org.rankunit.engine.cases.Moment;

/** What came of a campaign. */
final class ChaosTally {

    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    private final Set<Moment> moments = EnumSet.noneOf(Moment.class);
    private final Map<Fault.Kind, List<Long>> knownAfterNanos = new EnumMap<>(Fault.Kind.class);
    private final Map<String, List<String>> wrong = new HashMap<>();
    private int runs;
    private int struck;

    /** Count a run that had its own things in {@code folder}; one that is over or killed before the fault is not struck. */
    void ran(ChaosPlan plan, Path folder) throws IOException {
        runs++;
        struck += plan.strike(folder).struckNanos().isPresent() ? 1 : 0;
        faults.add(plan.fault());
        moments.add(plan.moment());
    }

    void known(ChaosPlan plan, long afterNanos) {
        knownAfterNanos
                .computeIfAbsent(plan.fault().kind(), kind -> new ArrayList<>())
                .add(afterNanos);
    }

    /** Count whether a check holds; one that does not fails the test all the same. */
    void count(String what, Object plan, Runnable check) {
        try {
            check.run();
        } catch (AssertionError e) {
            wrong.computeIfAbsent(what, w -> new ArrayList<>()).add(plan.toString());
            throw e;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder()
                .append(
                        "chaos: %d runs, %d of them struck, %d kinds of fault at %d moments; wrong verdicts: %d, with leftovers: %d%n"
                                .formatted(
                                        runs,
                                        struck,
                                        faults.size(),
                                        moments.size(),
                                        wrong.getOrDefault("verdict", List.of()).size(),
                                        wrong.getOrDefault("leftovers", List.of())
                                                .size()));
        wrong.forEach((what, plans) -> plans.forEach(plan -> text.append("  %s: %s%n".formatted(what, plan))));
        text.append("  %-10s %5s %9s %9s %9s   ms from the strike to the result%n"
                .formatted("known", "runs", "p50", "p99", "max"));
        knownAfterNanos.forEach((kind, nanos) -> text.append(row(kind, nanos)));
        return text.toString();
    }

    private static String row(Fault.Kind kind, Collection<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return "  %-10s %5d %9.1f %9.1f %9.1f%n"
                .formatted(kind, sorted.size(), millis(sorted, 0.5), millis(sorted, 0.99), millis(sorted, 1));
    }

    private static double millis(List<Long> sorted, double part) {
        return sorted.get((int) Math.ceil(part * sorted.size()) - 1) / 1e6;
    }
}
