package org.rankunit.engine.merge;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.RankFailure;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.merge.text.NotRunText;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * How everything around the tests of one class and variant ended on the ranks of the current group: their containers, and the ranks
 * themselves outside of any test. A failure there fails the class, or the tests that it prevented from running.
 */
final class LifecycleEnds {

    private final GroupPlan plan;
    private final ClassTree tree;
    private final NodeResults results;
    private final DeviceRetries retries;
    private final Collection<TestNode> nodes;
    private final Map<String, TestDescriptor> containers;

    // State of the current group.
    private final Map<String, SortedMap<Integer, RankEnd>> containerEnds = new LinkedHashMap<>();
    private final SortedMap<Integer, RankEnd> endsOutside = new TreeMap<>();

    /**
     * Settle ends for these nodes and containers.
     *
     * @param nodes a live view of all nodes
     * @param containers the containers around the tests, by their id on the ranks
     */
    LifecycleEnds(
            GroupPlan plan,
            ClassTree tree,
            NodeResults results,
            DeviceRetries retries,
            Collection<TestNode> nodes,
            Map<String, TestDescriptor> containers) {
        this.plan = plan;
        this.tree = tree;
        this.results = results;
        this.retries = retries;
        this.nodes = nodes;
        this.containers = containers;
    }

    /** Start to accept the ends of the next group. */
    void begin() {
        containerEnds.clear();
        endsOutside.clear();
    }

    /** Record that a container, or Jupiter itself, ended on a rank. */
    void ended(int rank, String uniqueId, RankEnd end) {
        if (!uniqueId.contains("/")) {
            // Jupiter itself: it found no tests on that rank, or failed.
            endsOutside.put(rank, end);
            return;
        }
        SortedMap<Integer, RankEnd> ends = containerEnds.computeIfAbsent(uniqueId, id -> new TreeMap<>());
        ends.put(rank, end);
        TestDescriptor container = containers.get(uniqueId);
        boolean passed = ends.size() == plan.ranks()
                && ends.values().stream().allMatch(e -> e.outcome() instanceof RankOutcome.Passed);
        if (container != null && passed) {
            tree.finishIfDone(container);
        }
    }

    void endedOutside(int rank, RankEnd end) {
        endsOutside.put(rank, end);
    }

    /** How ranks ended outside of any test. */
    Map<Integer, RankEnd> outside() {
        return Map.copyOf(endsOutside);
    }

    /** Drop the ends outside of tests that are only releases because other ranks left: they carry no information. */
    void forgetReleasedOutside() {
        endsOutside.values().removeIf(end -> end.outcome() instanceof RankOutcome.Released);
    }

    /** Drop all ends that are only releases because a rank became unfit between tests: they carry no information either. */
    void forgetReleased() {
        containerEnds
                .values()
                .forEach(ends -> ends.values().removeIf(end -> end.outcome() instanceof RankOutcome.Released));
        forgetReleasedOutside();
    }

    /** How a container ended on the ranks that reported an end. */
    SortedMap<Integer, RankEnd> of(String uniqueId) {
        return containerEnds.getOrDefault(uniqueId, new TreeMap<>());
    }

    /**
     * Settle all ends; no more come from this group.
     *
     * @param somethingFailed whether a test has failed, which explains later failures
     */
    void settle(boolean somethingFailed) {
        containerEnds.forEach((id, told) -> settleContainer(id, told, somethingFailed));
        settleOutside(somethingFailed);
    }

    /**
     * Settle a container. If all ranks that reported left it by an assumption or a condition, or if it failed before the ranks entered
     * a test, its tests get that result. A later failure fails only the container, unless a failed test explains it.
     */
    private void settleContainer(String id, SortedMap<Integer, RankEnd> told, boolean somethingFailed) {
        TestDescriptor container = containers.get(id);
        if (container == null) {
            return;
        }
        List<TestNode> below = nodes.stream()
                .filter(node -> node.uniqueId.startsWith(id + "/"))
                .toList();
        if (!results.merged("", told).failed()) {
            if (told.values().stream().allMatch(e -> e.outcome().isLeft())) {
                below.stream().filter(n -> !n.isReported() && n.ends.isEmpty()).forEach(n -> n.ends.putAll(told));
            }
            return;
        }
        // A rank that ended inside the container could not report it, and is the cause of what the others reported.
        TreeMap<Integer, RankEnd> ends = new TreeMap<>(told);
        endsOutside.forEach(ends::putIfAbsent);
        // A test that failed before the ranks met for it, as in its constructor, explains the releases around it.
        boolean explained = below.stream().anyMatch(TestNode::ownFailure)
                && ends.values().stream()
                        .map(RankEnd::outcome)
                        .allMatch(outcome -> outcome instanceof RankOutcome.Released || !outcome.isFailure());
        if (explained) {
            return;
        }
        if (below.stream().noneMatch(TestNode::isEntered)) {
            blame(below, NotRunText.lifecycleOf(container.getDisplayName()), ends);
        } else if (!somethingFailed || ends.values().stream().anyMatch(this::isOwnFailure)) {
            endsOutside.keySet().removeAll(ends.keySet());
            tree.failed(
                    container,
                    failureOf(NotRunText.lifecycleOf(container.getDisplayName()) + " " + plan.title(), ends));
        }
    }

    /** If a rank ended outside of any test, fail all tests if the ranks had entered none, and otherwise only the class. */
    private void settleOutside(boolean somethingFailed) {
        if (endsOutside.isEmpty()) {
            return;
        }
        if (nodes.stream().noneMatch(TestNode::isEntered)) {
            blame(List.copyOf(nodes), NotRunText.lifecycleOf(plan.className()), endsOutside);
        } else if (!somethingFailed
                || endsOutside.values().stream()
                        .anyMatch(e -> e.outcome() instanceof RankOutcome.Died || isOwnFailure(e))) {
            tree.failed(
                    plan.tests().get(0).node(),
                    failureOf(NotRunText.lifecycleOf(plan.className()) + " " + plan.title(), endsOutside));
        }
    }

    /** Excludes device faults in the clean-up after a test that will be rerun on other devices. */
    private boolean isOwnFailure(RankEnd end) {
        return end.outcome() instanceof RankOutcome.Failed failed && !(retries.hasClaimed() && failed.isOfDevice());
    }

    private void blame(List<TestNode> tests, String what, SortedMap<Integer, RankEnd> ends) {
        for (TestNode node : tests) {
            boolean tellsItself = node.undone().isEmpty();
            blame(node.children, what, ends);
            if (!node.isReported()) {
                results.report(node, tellsItself ? new Verdict.Failed(blamed(node, what, ends)) : new Verdict.Passed());
            }
        }
    }

    private Throwable blamed(TestNode node, String what, SortedMap<Integer, RankEnd> ends) {
        return failureOf(NotRunText.lifecycle(results.title(node), what), ends);
    }

    private Throwable failureOf(String title, SortedMap<Integer, RankEnd> ends) {
        Verdict verdict = results.merged(title, ends).verdict();
        return verdict instanceof Verdict.Failed failed ? failed.cause() : RankFailure.withoutStack(title + " failed");
    }
}
