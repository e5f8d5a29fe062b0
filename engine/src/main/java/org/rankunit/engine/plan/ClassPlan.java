package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.config.Platform;

/** All planned tests of one top-level class; the unit in which lifecycles run. */
public record ClassPlan(TestDescriptor container, List<PlannedTest> tests) {

    /** The tests that run, by the group they need, in the order of the numbers of ranks. */
    public List<GroupPlan> groups() {
        record Kind(int ranks, Platform platform) {}
        Map<Kind, List<PlannedTest>> kinds = new LinkedHashMap<>();
        for (PlannedTest test : tests) {
            if (test.fate() instanceof Fate.Runs runs) {
                kinds.computeIfAbsent(new Kind(test.test().ranks(), runs.platform()), k -> new ArrayList<>())
                        .add(test);
            }
        }
        return kinds.entrySet().stream()
                .sorted((a, b) -> Integer.compare(a.getKey().ranks(), b.getKey().ranks()))
                .map(kind -> new GroupPlan(
                        container.getDisplayName(),
                        kind.getKey().platform(),
                        kind.getKey().ranks(),
                        List.copyOf(kind.getValue())))
                .toList();
    }
}
