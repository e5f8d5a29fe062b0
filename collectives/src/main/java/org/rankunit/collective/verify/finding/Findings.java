package org.rankunit.collective.verify.finding;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apiguardian.api.API;
import org.rankunit.collective.schedule.Task;

/**
 * Collects findings. A mistake in an algorithm shows on many ranks, so that those of the same lines are one {@link Cause}, of which the first
 * ones are kept.
 */
@API(status = INTERNAL, since = "0.1")
public final class Findings {

    private static final int CAUSES = 64;
    private static final int KEPT = 16;
    private static final int PAIRS = 1000;

    private final Map<List<Object>, Kept> causes = new LinkedHashMap<>();
    private final Map<FindingKind, Integer> counts = new EnumMap<>(FindingKind.class);
    private final Set<List<Object>> pairs = new HashSet<>();

    private static final class Kept {

        private final List<Finding> findings = new ArrayList<>();
        private int count;
    }

    public void add(FindingKind kind, String text, Task... tasks) {
        add(new Finding(kind, text, List.of(tasks)));
    }

    public void add(Finding finding) {
        counts.merge(finding.kind(), 1, Integer::sum);
        List<Object> key = key(finding);
        if (causes.size() < CAUSES || causes.containsKey(key)) {
            Kept kept = causes.computeIfAbsent(key, k -> new Kept());
            kept.count++;
            if (kept.findings.size() < KEPT) {
                kept.findings.add(finding);
            }
        }
    }

    /** Without lines, what tasks do takes their place. */
    private static List<Object> key(Finding finding) {
        List<Object> key =
                new ArrayList<>(List.of(finding.kind(), finding.text().replaceAll("\\d+", "#")));
        for (Task task : finding.tasks()) {
            key.add(task.kind());
            key.add(Objects.requireNonNullElse(task.line(), ""));
        }
        return key;
    }

    /** Add a finding about two tasks, unless the same two have one. */
    public void addOnce(FindingKind kind, String text, Task one, Task other) {
        if (pairs.size() < PAIRS && pairs.add(List.of(kind, one, other))) {
            add(kind, text, one, other);
        }
    }

    public boolean isEmpty() {
        return causes.isEmpty();
    }

    /** The causes, those that others may follow from before these. */
    public List<Cause> causes() {
        return causes.values().stream()
                .map(kept -> new Cause(kept.findings, kept.count))
                .sorted(Comparator.comparing((Cause cause) -> cause.kind().promise())
                        .thenComparing(Cause::kind)
                        .thenComparing(Findings::isOfCaller))
                .toList();
    }

    /** A race of two tasks is more telling than one of a task and the caller, which often follows from it. */
    private static boolean isOfCaller(Cause cause) {
        return cause.kind() == FindingKind.RACE
                && cause.findings().get(0).tasks().size() < 2;
    }

    /** How many there are of each kind, also of those that were not kept. */
    public Map<FindingKind, Integer> counts() {
        return Map.copyOf(counts);
    }
}
