package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.discovery.TestIds;
import org.rankunit.engine.merge.collectives.TestCollectives;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;

/** What is known so far about one test, template or factory on the ranks. */
final class TestNode {

    final String uniqueId;
    final DeviceTestDescriptor descriptor;

    /** The template or factory that registered it during the run; null for a planned test. */
    final @Nullable TestNode parent;

    final List<TestNode> children = new ArrayList<>();

    /** How it ended on the ranks of the current group. */
    final SortedMap<Integer, RankEnd> ends = new TreeMap<>();

    /** What was decided on the ranks of the current group, if they shook it. */
    final SortedMap<Integer, FromRank.Shaken> shaken = new TreeMap<>();

    final SortedMap<Integer, FromRank.Rounds> rounds = new TreeMap<>();

    final TestCollectives collectives = new TestCollectives();

    /** What the ranks of the current group registered for it, if it is a {@link #registrar}. */
    final Registrations registrations = new Registrations();

    private NodeState state = NodeState.REGISTERED;
    private int failedChildren;
    private long startedNanos;
    private @Nullable String forcedFailure;

    // State of the current group.
    private boolean entered;
    private boolean failedWithin;
    private boolean again;

    TestNode(String uniqueId, DeviceTestDescriptor descriptor, @Nullable TestNode parent) {
        this.uniqueId = uniqueId;
        this.descriptor = descriptor;
        this.parent = parent;
        if (parent != null) {
            parent.children.add(this);
        }
    }

    /** Whether it is a test itself, rather than a node that registers tests. */
    boolean isTest() {
        return descriptor.isTest();
    }

    private void move(NodeState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(uniqueId + " cannot become " + next + " after " + state);
        }
        state = next;
    }

    /** Record that its start is reported to JUnit. */
    void start() {
        move(NodeState.STARTED);
        if (!entered) {
            startedNanos = System.nanoTime();
        }
    }

    /** Record that its result is reported to JUnit; a node that has not started was skipped. */
    void report(boolean failed) {
        move(failed ? NodeState.FAILED : state == NodeState.REGISTERED ? NodeState.SKIPPED : NodeState.DONE);
        if (failed && parent != null) {
            parent.failedChildren++;
        }
    }

    /** Whether its start was reported to JUnit. */
    boolean isStarted() {
        return state == NodeState.STARTED || state == NodeState.DONE || state == NodeState.FAILED;
    }

    /** Whether its result was reported to JUnit. */
    boolean isReported() {
        return state.hasResult();
    }

    /** The number of its children that have failed. */
    int failedChildren() {
        return failedChildren;
    }

    /** Record that the ranks of the current group enter it. */
    void enter() {
        entered = true;
        startedNanos = System.nanoTime();
    }

    /** Whether the ranks of the current group entered it. */
    boolean isEntered() {
        return entered;
    }

    /** When the ranks entered it, or if they did not, when its start was reported to JUnit. */
    long startedNanos() {
        return startedNanos;
    }

    /** Whether a test inside it failed on a rank of the current group, which may be the cause of its own failure there. */
    boolean hasFailedWithin() {
        return failedWithin;
    }

    /** Mark it to be rerun on other devices. */
    void runAgain() {
        again = true;
    }

    /** Whether it must be rerun on other devices. */
    boolean isToRunAgain() {
        return again;
    }

    /** Force it to fail for this reason, whatever its ranks reported; {@code null} removes the forced failure. */
    void forceFailure(@Nullable String reason) {
        forcedFailure = reason;
    }

    /** The reason for its forced failure; {@code null} if there is none. */
    @Nullable String forcedFailure() {
        return forcedFailure;
    }

    /** Create the node of a test or container that a rank registered within this one, here and in JUnit's tree. */
    TestNode register(FromRank.Registered registered) {
        boolean hasSource = registered.className() != null && registered.methodName() != null;
        DeviceTestDescriptor child = DeviceTestDescriptor.dynamic(
                TestIds.append(descriptor.getUniqueId(), uniqueId, registered.uniqueId()),
                registered.displayName(),
                hasSource
                        ? MethodSource.from(
                                registered.className(), registered.methodName(), registered.parameterTypes())
                        : descriptor.getSource().orElse(null),
                registered.test(),
                registered.legacyName() + descriptor.suffix(),
                registered.tags().stream().map(TestTag::create).collect(Collectors.toSet()),
                descriptor.suffix());
        descriptor.addChild(child);
        return new TestNode(registered.uniqueId(), child, this);
    }

    /** Discard what a group reported, unless that settled the node. */
    void forgetGroup() {
        entered = false;
        if (!isReported()) {
            ends.clear();
            shaken.clear();
            rounds.clear();
            collectives.clear();
            registrations.clear();
            again = false;
            failedWithin = false;
        }
    }

    /** Record how it ended on a rank of the current group. */
    void end(int rank, RankEnd end) {
        ends.put(rank, end);
        if (isTest() && end.outcome().isFailure()) {
            for (TestNode around = parent; around != null; around = around.parent) {
                around.failedWithin = true;
            }
        }
    }

    /** The nearest template or factory that creates it; the node itself if it is one, or is a planned test. */
    TestNode registrar() {
        return parent == null || makesTests() ? this : parent.registrar();
    }

    /** The planned test that it belongs to. */
    TestNode root() {
        return parent == null ? this : parent.root();
    }

    private boolean makesTests() {
        String type = descriptor.getUniqueId().getLastSegment().getType();
        return type.endsWith("-template") || type.equals("test-factory");
    }

    /** Whether a rank has already ended a node around it, and so will not reach this one any more. */
    boolean isPassedBy(int rank) {
        return parent != null && (parent.ends.containsKey(rank) || parent.isPassedBy(rank));
    }

    /**
     * Why it must not run although the ranks are about to run it: it, or a container that its factory created around it, is not the same
     * on all ranks. {@code null} if it may run.
     */
    @Nullable String refusal() {
        return parent == null || makesTests() ? null : forcedFailure != null ? forcedFailure : parent.refusal();
    }

    /** Whether all ranks reported that it passed. */
    boolean hasPassed(int ranks) {
        return ends.size() == ranks
                && ends.values().stream().allMatch(end -> end.outcome() instanceof RankOutcome.Passed);
    }

    /** Whether all ranks of a group reported how it ended, and it is settled. */
    boolean isComplete(int ranks) {
        return ends.size() == ranks && isSettled();
    }

    /** Whether it has a result although ranks may be missing, when no more events come from the group. */
    boolean isDecided() {
        if (again) {
            return false;
        }
        if (hasFailure() && children.isEmpty()) {
            return true;
        }
        return !ends.isEmpty() && isSettled();
    }

    private boolean isSettled() {
        return ends.values().stream().noneMatch(end -> end.outcome() instanceof RankOutcome.NotRun)
                && children.stream().allMatch(TestNode::isReported)
                && !mayHaveMore();
    }

    /** Whether all its ranks died or did not finish inside one of its tests, so that it is unknown which tests would follow. */
    private boolean mayHaveMore() {
        return failedWithin
                && ends.values().stream()
                        .allMatch(end -> end.outcome() instanceof RankOutcome.Died
                                || end.outcome() instanceof RankOutcome.Unfinished);
    }

    /** Whether it failed itself, not only something inside it. */
    boolean ownFailure() {
        return ends.values().stream()
                .map(RankEnd::outcome)
                .anyMatch(outcome -> outcome instanceof RankOutcome.Failed
                        || (!failedWithin
                                && (outcome instanceof RankOutcome.Died || outcome instanceof RankOutcome.Unfinished)));
    }

    private boolean hasFailure() {
        return forcedFailure != null
                || ends.values().stream().anyMatch(end -> end.outcome().isFailure());
    }

    /** Whether a test inside it failed. */
    boolean hasFailedTests() {
        return children.stream().anyMatch(child -> child.state == NodeState.FAILED || child.hasFailedTests());
    }

    /** All tests below it that have no result yet. */
    List<TestNode> undone() {
        List<TestNode> undone = new ArrayList<>();
        for (TestNode child : children) {
            if (child.isTest() && !child.isReported()) {
                undone.add(child);
            }
            undone.addAll(child.undone());
        }
        return undone;
    }
}
