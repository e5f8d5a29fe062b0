package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.opentest4j.TestAbortedException;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.control.TestSelection;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.discovery.TestIds;
import org.rankunit.engine.launch.GroupPhases;
import org.rankunit.engine.launch.RankEvents;
import org.rankunit.engine.plan.Fate;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.PlannedTest;

/**
 * Merges what the ranks tell about the tests of one class and variant into one result per test.
 *
 * <p>The tests may need several groups, one after the other, since a failed test taints its group: what a group left
 * undone {@link #remaining() remains} for the next. Each group gives at least one result, so this comes to an end, and then
 * every test has exactly one.
 */
public final class GroupMerge implements RankEvents {

    private final GroupPlan plan;
    private final ClassTree tree;
    private final Results results;
    private final Map<String, TestNode> nodes = new LinkedHashMap<>();
    private final Map<String, TestDescriptor> containers = new HashMap<>();

    // Of the present group.
    private GroupView group = new GroupView(0, List.of(), List.of(), GroupPhases.KEPT, List::of);
    private final Map<String, SortedMap<Integer, RankEnd>> containerEnds = new LinkedHashMap<>();
    private final SortedMap<Integer, RankEnd> endsOutside = new TreeMap<>();
    private int resultsOfThisGroup;
    private boolean somethingFailed;

    public GroupMerge(GroupPlan plan, ClassTree tree, Results results) {
        this.plan = plan;
        this.tree = tree;
        this.results = results;
        for (PlannedTest test : plan.tests()) {
            String id = test.test().jupiterId();
            nodes.put(id, new TestNode(id, test.node(), null));
            TestDescriptor around = test.node().getParent().orElse(null);
            for (;
                    around != null && !around.isRoot();
                    around = around.getParent().orElse(null)) {
                containers.put(TestIds.inRank(around.getUniqueId()), around);
            }
        }
    }

    /** What is still to run, as the ranks are to select it. */
    public List<TestSelection> remaining() {
        List<TestSelection> selections = new ArrayList<>();
        for (PlannedTest test : plan.tests()) {
            TestNode node = planned(test);
            if (!node.reported && test.fate() instanceof Fate.Runs runs) {
                List<String> undone =
                        node.undone().stream().map(n -> n.uniqueId).toList();
                selections.add(new TestSelection(
                        node.uniqueId,
                        undone.isEmpty() ? test.test().selected() : undone,
                        runs.buffers(),
                        test.test().syncPrefix()));
            }
        }
        return selections;
    }

    private TestNode planned(PlannedTest test) {
        TestNode node = nodes.get(test.test().jupiterId());
        if (node == null) {
            throw new IllegalStateException(test.test().place() + " is not of this plan");
        }
        return node;
    }

    /** Take the next group's events from here on. */
    public void begin(GroupView next) {
        group = next;
        containerEnds.clear();
        endsOutside.clear();
        resultsOfThisGroup = 0;
        somethingFailed = false;
        nodes.values().stream().filter(node -> !node.reported).forEach(TestNode::forgetGroup);
    }

    /** No more events come from this group: settle what can be settled. */
    public void end() {
        containerEnds.forEach(this::settleContainer);
        settleEndsOutside();
        plan.tests().forEach(test -> decide(planned(test)));
        if (resultsOfThisGroup == 0) {
            failRemaining("its ranks came to an end without running it");
        }
        results.print(group.freshOutput().get());
    }

    /** Give the results that are settled, those of inner nodes first. */
    private void decide(TestNode node) {
        node.children.forEach(this::decide);
        if (!node.reported && node.isDecided()) {
            report(node);
        }
    }

    /** Give all that remains the same failure: nothing could run. */
    public void failRemaining(String reason) {
        plan.tests().forEach(test -> force(planned(test), reason));
    }

    /** Where tests inside a node remain, they take the failure; else the node itself. */
    private void force(TestNode node, String reason) {
        boolean tellsItself = node.undone().isEmpty();
        node.children.forEach(child -> force(child, reason));
        if (!node.reported) {
            node.forcedFailure = tellsItself ? reason : null;
            report(node);
        }
    }

    @Override
    public void registered(int rank, FromRank.Registered registered) {
        TestNode parent = nodes.get(registered.parentId());
        if (parent == null || nodes.containsKey(registered.uniqueId())) {
            return;
        }
        start(parent);
        boolean hasSource = registered.className() != null && registered.methodName() != null;
        DeviceTestDescriptor descriptor = DeviceTestDescriptor.dynamic(
                TestIds.append(parent.descriptor.getUniqueId(), parent.uniqueId, registered.uniqueId()),
                registered.displayName(),
                hasSource
                        ? MethodSource.from(
                                registered.className(), registered.methodName(), registered.parameterTypes())
                        : parent.descriptor.getSource().orElse(null),
                registered.test(),
                registered.legacyName() + parent.descriptor.suffix(),
                registered.tags().stream().map(TestTag::create).collect(Collectors.toSet()),
                parent.descriptor.suffix());
        parent.descriptor.addChild(descriptor);
        nodes.put(registered.uniqueId(), new TestNode(registered.uniqueId(), descriptor, parent));
        results.listener().dynamicTestRegistered(descriptor);
    }

    @Override
    public boolean entered(String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        if (node == null) {
            return true;
        } else if (node.reported) {
            // An invocation of a template that is run again for those nobody has seen yet.
            return false;
        }
        node.entered = true;
        start(node);
        return true;
    }

    private void start(TestNode node) {
        if (node.started) {
            return;
        }
        startAround(node);
        node.started = true;
        node.startedNanos = System.nanoTime();
        results.listener().executionStarted(node.descriptor);
    }

    private void startAround(TestNode node) {
        if (node.parent == null) {
            tree.startAround(node.descriptor);
        } else {
            start(node.parent);
        }
    }

    @Override
    public void ended(int rank, FromRank.Ended ended) {
        RankEnd end = new RankEnd(ended.outcome(), ended.goldens(), ended.endedNanos(), ended.verifyNanos());
        TestNode node = nodes.get(ended.uniqueId());
        if (node == null) {
            containerEnded(rank, ended.uniqueId(), end);
            return;
        }
        somethingFailed |= end.outcome().isFailure();
        node.ends.put(rank, end);
        if (!node.reported && node.isComplete(plan.ranks())) {
            report(node);
        }
    }

    private void containerEnded(int rank, String uniqueId, RankEnd end) {
        SortedMap<Integer, RankEnd> ends = containerEnds.computeIfAbsent(uniqueId, id -> new TreeMap<>());
        ends.put(rank, end);
        TestDescriptor container = containers.get(uniqueId);
        boolean passed = ends.size() == plan.ranks()
                && ends.values().stream().allMatch(e -> e.outcome() instanceof RankOutcome.Passed);
        if (container != null && passed) {
            tree.finishIfDone(container);
        }
    }

    @Override
    public void reported(int rank, FromRank.Reported reported) {
        TestNode node = nodes.get(reported.uniqueId());
        if (node != null && node.started && !node.reported) {
            Map<String, String> labelled = new LinkedHashMap<>();
            reported.entries().forEach((key, value) -> labelled.put("rank " + rank + ": " + key, value));
            results.listener().reportingEntryPublished(node.descriptor, ReportEntry.from(labelled));
        }
    }

    @Override
    public void endedOutsideTests(int rank, RankOutcome outcome) {
        endsOutside.put(rank, RankEnd.of(outcome));
    }

    @Override
    public void disagreed(Map<Integer, String> next) {
        somethingFailed = true;
        String message = "the ranks are about to run different tests: "
                + next.entrySet().stream()
                        .map(e -> "rank " + e.getKey() + " " + (e.getValue().isEmpty() ? "none" : nameOf(e.getValue())))
                        .collect(Collectors.joining(", "))
                + ". What a rank runs must not depend on its number, on chance or on time.";
        for (String id : next.values()) {
            TestNode node = nodes.get(id);
            if (node != null) {
                node.forcedFailure = message;
            }
        }
    }

    private String nameOf(String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        return node == null ? uniqueId : title(node);
    }

    /** A container of tests failed or was skipped on some ranks: its tests have that result, or come after it. */
    private void settleContainer(String id, SortedMap<Integer, RankEnd> ends) {
        TestDescriptor container = containers.get(id);
        if (container == null) {
            return;
        }
        List<TestNode> below = nodes.values().stream()
                .filter(node -> node.uniqueId.startsWith(id + "/"))
                .toList();
        boolean failed = ends.values().stream().anyMatch(e -> e.outcome().isFailure());
        if (!failed) {
            boolean skipped = ends.values().stream()
                    .allMatch(e ->
                            e.outcome() instanceof RankOutcome.Skipped || e.outcome() instanceof RankOutcome.Aborted);
            if (skipped) {
                below.stream().filter(n -> !n.reported && n.ends.isEmpty()).forEach(n -> n.ends.putAll(ends));
            }
        } else if (below.stream().noneMatch(node -> node.entered)) {
            blame(below, "the lifecycle of " + container.getDisplayName(), ends);
        } else if (!somethingFailed
                || ends.values().stream().anyMatch(e -> e.outcome() instanceof RankOutcome.Failed)) {
            tree.failed(
                    container,
                    failureOf("the lifecycle of " + container.getDisplayName() + " " + plan.variant(), ends));
        }
    }

    /** A rank ended outside of any test: before the first it takes all tests with it, later only the class. */
    private void settleEndsOutside() {
        if (endsOutside.isEmpty()) {
            return;
        }
        if (nodes.values().stream().noneMatch(node -> node.entered)) {
            blame(List.copyOf(nodes.values()), "the lifecycle of " + plan.className(), endsOutside);
        } else if (!somethingFailed
                || endsOutside.values().stream().anyMatch(e -> e.outcome() instanceof RankOutcome.Died)) {
            tree.failed(
                    plan.tests().get(0).node(),
                    failureOf("the lifecycle of " + plan.className() + " " + plan.variant(), endsOutside));
        }
    }

    private void blame(List<TestNode> tests, String what, SortedMap<Integer, RankEnd> ends) {
        for (TestNode node : tests) {
            boolean tellsItself = node.undone().isEmpty();
            blame(node.children, what, ends);
            if (!node.reported) {
                report(node, tellsItself ? new Verdict.Failed(blamed(node, what, ends)) : new Verdict.Passed());
            }
        }
    }

    private Throwable blamed(TestNode node, String what, SortedMap<Integer, RankEnd> ends) {
        return failureOf(title(node) + " did not run: " + what, ends);
    }

    private Throwable failureOf(String title, SortedMap<Integer, RankEnd> ends) {
        Verdict verdict = new MergedOutcome(title, plan.ranks(), ends, group.logs()).verdict();
        return verdict instanceof Verdict.Failed failed ? failed.cause() : RankFailure.withoutStack(title + " failed");
    }

    private void report(TestNode node) {
        if (node.forcedFailure != null) {
            report(node, new Verdict.Failed(RankFailure.withoutStack(title(node) + ": " + node.forcedFailure)));
        } else if (!node.isTest() && node.hasFailedTests() && !node.ownFailure()) {
            report(node, new Verdict.Passed());
        } else {
            report(node, new MergedOutcome(title(node), plan.ranks(), node.ends, group.logs()).verdict());
        }
    }

    private void report(TestNode node, Verdict merged) {
        Verdict verdict = merged;
        if (!(merged instanceof Verdict.Skipped skipped)) {
            start(node);
        } else if (node.started) {
            // JUnit knows no skip after a start.
            verdict = new Verdict.Aborted(new TestAbortedException(skipped.reason()));
        } else {
            startAround(node);
        }
        if (node.isTest()) {
            results.print(group.freshOutput().get());
        }
        node.reported = true;
        tree.settled(node.descriptor);
        node.failed = verdict instanceof Verdict.Failed;
        if (node.isTest() || (node.parent == null && node.children.isEmpty())) {
            resultsOfThisGroup++;
            results.give(resultOf(node, verdict));
        } else {
            results.tell(node.descriptor, verdict);
        }
    }

    private TestResult resultOf(TestNode node, Verdict verdict) {
        long ended =
                node.ends.values().stream().mapToLong(RankEnd::endedNanos).max().orElse(node.startedNanos);
        long verify = node.ends.values().stream()
                .mapToLong(RankEnd::verifyNanos)
                .max()
                .orElse(0);
        return new TestResult(
                node.descriptor,
                plan.ranks(),
                plan.platform().id(),
                group.devices(),
                group.number(),
                verdict,
                new TreeMap<>(node.ends),
                group.logs(),
                resultsOfThisGroup == 1 ? group.phases() : GroupPhases.KEPT,
                node.started ? Math.max(0, ended - node.startedNanos - verify) : 0,
                verify);
    }

    private String title(TestNode node) {
        return node.descriptor.title() + " " + plan.variant();
    }
}
