package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.discovery.SharedResources;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.site.GroupKind;

/** All planned tests of one top-level class; the unit in which lifecycles run. */
public record ClassPlan(TestDescriptor container, List<PlannedTest> tests) {

    /** Find the resources that the class shares with others; this examines every method. */
    public SharedResources sharedResources() {
        return SharedResources.of(container);
    }

    /** Variants with different seeds are the same test for Jupiter, so one run cannot have both. */
    private static TestDeclaration.@Nullable Shake seedOf(TestDeclaration test) {
        TestDeclaration.Shake shake = test.shake();
        return shake == null ? null : new TestDeclaration.Shake(shake.strategy(), shake.seed(), 1, 1);
    }

    /** The tests that run, by the group they need, in ascending order of ranks. */
    public List<GroupPlan> groups() {
        record Group(GroupKind kind, @Nullable String freshFor, TestDeclaration.@Nullable Shake shake) {}
        Map<Group, List<PlannedTest>> groups = new LinkedHashMap<>();
        for (PlannedTest test : tests) {
            if (test.decision() instanceof TestDecision.Runs runs) {
                TestDeclaration declaration = test.test().declaration();
                GroupKind kind = GroupKind.of(runs.platform(), declaration);
                groups.computeIfAbsent(
                                new Group(kind, declaration.freshFor(), seedOf(declaration)), g -> new ArrayList<>())
                        .add(test);
            }
        }
        return groups.entrySet().stream()
                .sorted(Comparator.comparingInt(group -> group.getKey().kind().ranks()))
                .map(group -> new GroupPlan(
                        container.getDisplayName(),
                        group.getKey().kind(),
                        group.getKey().freshFor() != null,
                        List.copyOf(group.getValue())))
                .toList();
    }
}
