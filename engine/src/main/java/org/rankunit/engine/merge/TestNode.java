package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.rankunit.engine.control.FromRank;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.discovery.DeviceTestDescriptor;
import org.rankunit.engine.discovery.TestIds;

/** What is known so far of one test, template or factory on the ranks. */
final class TestNode {

    final String uniqueId;
    final DeviceTestDescriptor descriptor;

    /** The template or factory that registered it during the run; null for a planned test. */
    final @Nullable TestNode parent;

    final List<TestNode> children = new ArrayList<>();

    /** How it ended on the ranks of the present group. */
    final SortedMap<Integer, RankEnd> ends = new TreeMap<>();

    /** What the ranks of the present group registered for it, if it is a {@link #registrar}. */
    final Registrations registrations = new Registrations();

    private NodeState state = NodeState.REGISTERED;
    private int failedChildren;
    private long startedNanos;
    private @Nullable String forcedFailure;

    // Of the present group.
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

    /** Whether it is a test itself, rather than something that registers tests. */
    boolean isTest() {
        return descriptor.isTest();
    }

    private void move(NodeState next) {
        if (!state.mayBecome(next)) {
            throw new IllegalStateException(uniqueId + " cannot become " + next + " after " + state);
        }
        state = next;
    }

    /** JUnit is told that it starts. */
    void start() {
        move(NodeState.STARTED);
        if (!entered) {
            startedNanos = System.nanoTime();
        }
    }

    /** JUnit is told its result; one that has not started was skipped. */
    void report(boolean failed) {
        move(failed ? NodeState.FAILED : state == NodeState.REGISTERED ? NodeState.SKIPPED : NodeState.DONE);
        if (failed && parent != null) {
            parent.failedChildren++;
        }
    }

    /** Whether JUnit was told that it started. */
    boolean isStarted() {
        return state == NodeState.STARTED || state == NodeState.DONE || state == NodeState.FAILED;
    }

    /** Whether JUnit was told its result. */
    boolean isReported() {
        return state.hasResult();
    }

    /** How many of its children have failed. */
    int failedChildren() {
        return failedChildren;
    }

    /** The ranks of the present group enter it. */
    void enter() {
        entered = true;
        startedNanos = System.nanoTime();
    }

    /** Whether the ranks of the present group entered it. */
    boolean isEntered() {
        return entered;
    }

    /** When the ranks entered it, or if they did not, when JUnit was told that it started. */
    long startedNanos() {
        return startedNanos;
    }

    /** Whether a test inside it failed on a rank of the present group: its own failure there may come of that. */
    boolean hasFailedWithin() {
        return failedWithin;
    }

    /** Have it run once more, on other devices. */
    void runAgain() {
        again = true;
    }

    /** Whether it is to run once more, on other devices. */
    boolean isToRunAgain() {
        return again;
    }

    /** Have it fail for this reason, whatever its ranks said of it; {@code null} to have it judged by its ranks again. */
    void forceFailure(@Nullable String reason) {
        forcedFailure = reason;
    }

    /** Why it fails whatever its ranks said of it. */
    @Nullable String forcedFailure() {
        return forcedFailure;
    }

    /** Make the node of what a rank registered within this one, here and in JUnit's tree. */
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

    /** Forget what a group said that did not settle it. */
    void forgetGroup() {
        entered = false;
        if (!isReported()) {
            ends.clear();
            registrations.clear();
            again = false;
            failedWithin = false;
        }
    }

    /** Note how it ended on a rank of the present group. */
    void end(int rank, RankEnd end) {
        ends.put(rank, end);
        if (isTest() && end.outcome().isFailure()) {
            for (TestNode around = parent; around != null; around = around.parent) {
                around.failedWithin = true;
            }
        }
    }

    /** The template or factory that makes it, the nearest one; itself if it is one, or is a planned test. */
    TestNode registrar() {
        return parent == null || makesTests() ? this : parent.registrar();
    }

    private boolean makesTests() {
        String type = descriptor.getUniqueId().getLastSegment().getType();
        return type.endsWith("-template") || type.equals("test-factory");
    }

    /** Whether a rank has ended something around it, so that it will not come to this any more. */
    boolean isPassedBy(int rank) {
        return parent != null && (parent.ends.containsKey(rank) || parent.isPassedBy(rank));
    }

    /**
     * Why it is not to run although the ranks are about to: itself, or a container that its factory made around it, is not the same on
     * all of them.
     */
    @Nullable String refusal() {
        return parent == null || makesTests() ? null : forcedFailure != null ? forcedFailure : parent.refusal();
    }

    /** Whether all ranks said that it ran to its end. */
    boolean hasPassed(int ranks) {
        return ends.size() == ranks
                && ends.values().stream().allMatch(end -> end.outcome() instanceof RankOutcome.Passed);
    }

    /** Whether all ranks of a group said how it ended, and none was refused. */
    boolean isComplete(int ranks) {
        return ends.size() == ranks && isSettled();
    }

    /** Whether it has a result although ranks may be missing, now that nothing more comes from them. */
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

    /** Whether its ranks all broke off within one of its tests, so that nobody knows which would have come after. */
    private boolean mayHaveMore() {
        return failedWithin
                && ends.values().stream()
                        .allMatch(end -> end.outcome() instanceof RankOutcome.Died
                                || end.outcome() instanceof RankOutcome.Unfinished);
    }

    /** Whether it failed by itself, not only something inside it. */
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
