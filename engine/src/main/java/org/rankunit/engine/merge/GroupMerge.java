package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestDescriptor;
import org.rankunit.engine.discovery.TestIds;
import org.rankunit.engine.group.BringUpException;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.merge.text.AgreementText;
import org.rankunit.engine.merge.text.NotRunText;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.PlannedTest;
import org.rankunit.engine.plan.TestDecision;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestSelection;

/**
 * Merges what the ranks report about the tests of one class and variant into one result per test.
 *
 * <p>The tests may need several groups, one after the other, since a failed test makes its group unusable: tests that a group did
 * not run {@link #remaining() remain} for the next. Each group gives at least one result, or causes a rerun because of a device
 * fault, at most once for each test. The number of groups is therefore bounded, and at the end every test has exactly one result.
 */
public final class GroupMerge implements RankEvents {

    private final GroupPlan plan;
    private final NodeResults results;
    private final BooleanSupplier cancelled;
    private final DeviceRetries retries;
    private final Map<String, TestNode> nodes = new LinkedHashMap<>();
    private final LifecycleEnds lifecycle;

    // State of the current group.
    private boolean somethingFailed;
    private @Nullable String partedIn;
    private @Nullable String unfit;

    /** Ranks that were kept may turn out to be unusable before they run anything: the first time this is not a failure. */
    private boolean excused;

    /**
     * Prepare to merge the tests of one plan.
     *
     * @param cancelled whether the user has cancelled the run
     * @param whyNotWithout why the plan cannot run without certain devices; empty if it can
     */
    public GroupMerge(
            GroupPlan plan,
            ClassTree tree,
            Results results,
            BooleanSupplier cancelled,
            Function<Set<DeviceRef>, Optional<String>> whyNotWithout) {
        this.cancelled = cancelled;
        this.plan = plan;
        this.retries = new DeviceRetries(whyNotWithout);
        this.results = new NodeResults(plan, tree, results, retries);
        Map<String, TestDescriptor> containers = new HashMap<>();
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
        this.lifecycle = new LifecycleEnds(plan, tree, this.results, retries, nodes.values(), containers);
    }

    /** The tests still to run, as selections for the ranks. */
    public List<TestSelection> remaining() {
        List<TestSelection> selections = new ArrayList<>();
        for (PlannedTest test : plan.tests()) {
            TestNode node = planned(test);
            if (!node.isReported() && test.decision() instanceof TestDecision.Runs runs) {
                List<String> undone =
                        node.undone().stream().map(n -> n.uniqueId).toList();
                selections.add(new TestSelection(
                        node.uniqueId,
                        undone.isEmpty() ? test.test().selected() : undone,
                        runs.buffers(),
                        test.test().declaration()));
            }
        }
        return selections;
    }

    /** The devices that the next group must not use, since it reruns tests that failed on them. */
    public Set<DeviceRef> avoided() {
        return retries.avoided();
    }

    /** Whether a group must be started once more, without the devices that are to blame if there are any. */
    public boolean repeatsBringUp(BringUpException failure) {
        return retries.claimsBringUp(failure);
    }

    private TestNode planned(PlannedTest test) {
        TestNode node = nodes.get(test.test().jupiterId());
        if (node == null) {
            throw new IllegalStateException(test.test().declaration().place() + " is not of this plan");
        }
        return node;
    }

    /** Start to accept the events of the next group. */
    public void begin(GroupHooks next) {
        results.begin(next);
        retries.beginGroup();
        lifecycle.begin();
        somethingFailed = false;
        partedIn = null;
        unfit = null;
        nodes.values().forEach(TestNode::forgetGroup);
    }

    /** Settle everything that can be settled; no more events come from this group. */
    public void end() {
        settleParting();
        if (unfit != null) {
            lifecycle.forgetReleased();
            System.out.println(
                    "rankunit: " + plan.className() + " " + plan.title() + " needs new ranks to continue: " + unfit);
        }
        lifecycle.settle(somethingFailed);
        plan.tests().forEach(test -> settleRegistrations(planned(test)));
        plan.tests().forEach(test -> decide(planned(test)));
        List.copyOf(nodes.values()).forEach(this::skipBeyondThreshold);
        if (!results.hasSettledAny() && !retries.hasClaimed() && !cancelled.getAsBoolean()) {
            settleNothing();
        }
        results.printOutput();
    }

    /** Another group would not help, unless this one was unfit for the first time. */
    private void settleNothing() {
        if (unfit == null) {
            failRemaining(NotRunText.endedWithout());
        } else if (excused) {
            failRemaining(NotRunText.unfit(unfit));
        }
        excused = true;
    }

    /** Report the results that are settled, those of inner nodes first. */
    private void decide(TestNode node) {
        node.children.forEach(this::decide);
        if (!node.isReported() && node.ownFailure() && !node.hasFailedWithin()) {
            // It would fail in the same way again.
            node.children.forEach(child -> force(child, NotRunText.because(results.title(node))));
        }
        if (!node.isReported() && node.isDecided()) {
            results.conclude(node);
        }
    }

    /** Skip the remaining repetitions of a test whose failure threshold has been reached. */
    private void skipBeyondThreshold(TestNode template) {
        FailureThreshold.exceeded(template).ifPresent(reason -> {
            template.children.stream().filter(child -> !child.isToRunAgain()).forEach(child -> skip(child, reason));
            decide(template);
        });
    }

    /** Skip all remaining tests for the same reason. */
    public void skipRemaining(String reason) {
        plan.tests().forEach(test -> skip(planned(test), reason));
    }

    private void skip(TestNode node, String reason) {
        node.children.forEach(child -> skip(child, reason));
        if (!node.isReported()) {
            results.report(node, new Verdict.Skipped(reason));
        }
    }

    /** Fail all remaining tests for the same reason, since none could run. */
    public void failRemaining(String reason) {
        plan.tests().forEach(test -> force(planned(test), reason));
    }

    /** Fail a test that cannot run. */
    public void fail(PlannedTest test, String reason) {
        force(planned(test), reason);
    }

    /** Fail the tests inside a node that have no result; if there are none, fail the node itself. */
    private void force(TestNode node, String reason) {
        boolean tellsItself = node.undone().isEmpty();
        node.children.forEach(child -> force(child, reason));
        if (!node.isReported()) {
            node.forceFailure(tellsItself ? reason : null);
            results.report(node);
        }
    }

    @Override
    public void registered(int rank, FromRank.Registered registered) {
        TestNode parent = nodes.get(registered.parentId());
        if (parent == null) {
            return;
        }
        if (!registered.uniqueId().startsWith(parent.uniqueId + "/")) {
            throw new IllegalArgumentException(registered.uniqueId() + " is not within " + parent.uniqueId);
        }
        Registrations registrations = parent.registrar().registrations;
        registrations.add(rank, registered.uniqueId(), registered.displayName());
        TestNode known = nodes.get(registered.uniqueId());
        if (known == null) {
            register(parent, registered);
        } else if (!known.isReported()) {
            registrations.otherNames(known.uniqueId).ifPresent(known::forceFailure);
        }
    }

    private void register(TestNode parent, FromRank.Registered registered) {
        results.start(parent);
        TestNode node = parent.register(registered);
        nodes.put(registered.uniqueId(), node);
        results.registered(node);
    }

    @Override
    public boolean entered(String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        if (node == null) {
            return true;
        } else if (cancelled.getAsBoolean() || node.isReported() || node.refusal() != null || isBeyondThreshold(node)) {
            // The run is cancelled; or the node has a result and its template is rerun only for invocations without
            // one; or the
            // ranks would run different tests; or enough repetitions have failed.
            return false;
        }
        node.enter();
        return true;
    }

    private static boolean isBeyondThreshold(TestNode node) {
        return node.parent != null && FailureThreshold.exceeded(node.parent).isPresent();
    }

    @Override
    public void started(int rank, String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        if (node != null && !node.isReported()) {
            results.start(node);
        }
    }

    @Override
    public void ended(int rank, FromRank.Ended ended) {
        RankEnd end = RankEnd.told(ended, results.nodeOf(rank));
        TestNode node = nodes.get(ended.uniqueId());
        if (node == null) {
            lifecycle.ended(rank, ended.uniqueId(), end);
            return;
        }
        somethingFailed |= end.outcome().isFailure();
        node.end(rank, end);
        if (!node.isReported() && node.ends.size() == plan.ranks()) {
            settleRegistrations(node);
            if (node.forcedFailure() != null) {
                decide(node);
            } else if (node.isComplete(plan.ranks())) {
                results.conclude(node);
            }
        }
    }

    @Override
    public void shaken(int rank, FromRank.Shaken shaken) {
        TestNode node = nodes.get(shaken.uniqueId());
        if (node != null && node.isEntered()) {
            node.shaken.put(rank, shaken);
        }
    }

    @Override
    public void rounds(int rank, FromRank.Rounds rounds) {
        TestNode node = nodes.get(rounds.uniqueId());
        if (node != null && node.isEntered()) {
            node.rounds.put(rank, rounds);
        }
    }

    @Override
    public void ranCollective(int rank, FromRank.RanCollective ran) {
        TestNode node = nodes.get(ran.uniqueId());
        if (node != null && node.isEntered()) {
            node.collectives.add(ran);
        }
    }

    @Override
    public void reported(int rank, FromRank.Reported reported) {
        TestNode node = nodes.get(reported.uniqueId());
        if (node != null && node.isEntered() && !node.isReported()) {
            results.start(node);
            Map<String, String> labelled = new LinkedHashMap<>();
            reported.entries().forEach((key, value) -> labelled.put("rank " + rank + ": " + key, value));
            results.published(node, labelled);
        }
    }

    @Override
    public void endedOutsideTests(int rank, RankOutcome outcome) {
        lifecycle.endedOutside(rank, RankEnd.of(outcome));
    }

    @Override
    public Set<String> disagreed(Map<Integer, String> next) {
        SortedMap<Integer, String> titles = new TreeMap<>();
        next.forEach((rank, id) -> titles.put(rank, id.isEmpty() ? "" : nameOf(id)));
        String message = AgreementText.differentNext(titles);
        Map<Integer, TestNode> awaited = new TreeMap<>();
        next.forEach((rank, id) -> {
            TestNode node = nodes.get(id);
            if (node != null) {
                awaited.put(rank, node);
            }
        });
        Set<TestNode> ofSomeRanks = Registrations.ofSomeRanks(awaited, plan.ranks());
        somethingFailed |= ofSomeRanks.isEmpty();
        (ofSomeRanks.isEmpty() ? awaited.values() : ofSomeRanks).forEach(node -> node.forceFailure(message));
        return ofSomeRanks.stream().map(node -> node.uniqueId).collect(Collectors.toSet());
    }

    @Override
    public void unfit(String why) {
        unfit = why;
    }

    @Override
    public void parted(String uniqueId) {
        somethingFailed = true;
        partedIn = uniqueId;
    }

    private String nameOf(String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        return node == null ? uniqueId : results.title(node);
    }

    /** Some ranks left a test or container early and others did not: everything inside it ends with it on all ranks. */
    private void settleParting() {
        String parted = partedIn;
        if (parted == null) {
            return;
        }
        TreeMap<Integer, RankEnd> ends = new TreeMap<>(endsOf(parted));
        lifecycle.outside().forEach(ends::putIfAbsent);
        boolean allLeft = ends.size() == plan.ranks()
                && ends.values().stream().allMatch(end -> end.outcome().isLeft());
        if (!allLeft && !results.merged("", ends).failed()) {
            List.copyOf(nodes.values()).stream()
                    .filter(node -> node.uniqueId.equals(parted) || node.uniqueId.startsWith(parted + "/"))
                    .forEach(node -> part(node, ends));
            lifecycle.forgetReleasedOutside();
        }
    }

    private Map<Integer, RankEnd> endsOf(String uniqueId) {
        TestNode node = nodes.get(uniqueId);
        return node == null ? lifecycle.of(uniqueId) : node.ends;
    }

    private void part(TestNode node, SortedMap<Integer, RankEnd> around) {
        boolean tellsItself = node.undone().isEmpty();
        node.children.forEach(child -> part(child, around));
        if (!node.isReported()) {
            for (int rank = 0; rank < plan.ranks(); rank++) {
                RankEnd end = around.getOrDefault(rank, RankEnd.of(new RankOutcome.NotRun()));
                boolean holds = end.outcome().isLeft() || end.outcome().isFailure();
                node.ends.putIfAbsent(rank, holds ? end : RankEnd.of(new RankOutcome.NotRun()));
            }
            Verdict verdict = results.merged(results.title(node), node.ends).verdict();
            results.report(node, tellsItself || verdict instanceof Verdict.Aborted ? verdict : new Verdict.Passed());
        }
    }

    /** If ranks registered different tests, those that only some ranks have cannot run; the template or factory fails and says why. */
    private void settleRegistrations(TestNode node) {
        node.children.forEach(this::settleRegistrations);
        if (!node.isReported() && node.registrar() == node && node.hasPassed(plan.ranks())) {
            node.registrations.difference(plan.ranks()).ifPresent(text -> {
                node.forceFailure(text);
                node.undone().forEach(test -> refuse(test, node.registrations.ranksWith(test.uniqueId)));
            });
        }
    }

    private void refuse(TestNode test, List<Integer> with) {
        String refusal = test.refusal();
        if (refusal != null) {
            test.forceFailure(refusal);
        } else if (!with.isEmpty() && with.size() < plan.ranks()) {
            test.forceFailure(AgreementText.onlyOn(with));
        }
    }
}
