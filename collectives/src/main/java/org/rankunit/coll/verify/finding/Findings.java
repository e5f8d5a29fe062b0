package org.rankunit.coll.verify.finding;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apiguardian.api.API;
import org.rankunit.coll.schedule.Task;

/** Collects findings: a mistake in an algorithm shows on many ranks, so only the first ones of each kind are kept. */
@API(status = INTERNAL, since = "0.1")
public final class Findings {

    private static final int KEPT = 16;

    private final List<Finding> kept = new ArrayList<>();
    private final Map<FindingKind, Integer> counts = new EnumMap<>(FindingKind.class);
    private final Set<List<Object>> pairs = new HashSet<>();

    /** Whether details of another finding of this kind are wanted; counts it if they are not. */
    private boolean wants(FindingKind kind) {
        return counts.merge(kind, 1, Integer::sum) <= KEPT;
    }

    public void add(FindingKind kind, String text, Task... tasks) {
        if (wants(kind)) {
            kept.add(new Finding(kind, text, List.of(tasks)));
        }
    }

    public void add(Finding finding) {
        add(finding.kind(), finding.text(), finding.tasks().toArray(new Task[0]));
    }

    /** Add a finding about two tasks, unless the same two have one. */
    public void addOnce(FindingKind kind, String text, Task one, Task other) {
        if (pairs.size() < 1000 && pairs.add(List.of(kind, one, other))) {
            add(kind, text, one, other);
        }
    }

    public boolean isEmpty() {
        return kept.isEmpty();
    }

    /** Those that name two tasks come before those that name a task and a caller, which often follow from them. */
    public List<Finding> kept() {
        List<Finding> sorted = new ArrayList<>(kept);
        sorted.sort(Comparator.comparing(Findings::isOfCaller));
        return List.copyOf(sorted);
    }

    private static boolean isOfCaller(Finding finding) {
        return finding.kind() == FindingKind.RACE
                && finding.tasks().stream().distinct().count() < 2;
    }

    /** How many there are of each kind, also of those that were not kept. */
    public Map<FindingKind, Integer> counts() {
        return Map.copyOf(counts);
    }
}
