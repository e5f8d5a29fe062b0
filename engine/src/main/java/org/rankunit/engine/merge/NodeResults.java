package org.rankunit.engine.merge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.opentest4j.TestAbortedException;
import org.rankunit.engine.discovery.XmlText;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.collectives.BandwidthVerdict;
import org.rankunit.engine.merge.outcome.MergedOutcome;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.RankFailure;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.merge.rounds.RoundStatistics;
import org.rankunit.engine.merge.text.RoundsText;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.protocol.TestDeclaration;
import org.rankunit.engine.shake.ShakenTest;
import org.rankunit.engine.timeline.trace.HostPhase;
import org.rankunit.engine.timeline.trace.TestTimeline;
import org.rankunit.golden.GoldenSummary;

/** Reports the tests of one class and variant to JUnit and to the reports: the start of each, and its only result. */
final class NodeResults {

    private final GroupPlan plan;
    private final ClassTree tree;
    private final Results results;
    private final DeviceRetries retries;
    private GroupHooks group = new GroupHooks(0, List.of(), List.of(), GroupPhases.KEPT, List::of);
    private int given;

    /** What each rank has printed between the last two results. */
    private List<String> output = List.of();

    private boolean settledAny;

    NodeResults(GroupPlan plan, ClassTree tree, Results results, DeviceRetries retries) {
        this.retries = retries;
        this.plan = plan;
        this.tree = tree;
        this.results = results;
    }

    /** Start to report the results of this group. */
    void begin(GroupHooks next) {
        group = next;
        given = 0;
        settledAny = false;
    }

    /** Whether the current group settled anything, even if only a container. */
    boolean hasSettledAny() {
        return settledAny;
    }

    /** Print the output of the ranks since the last result. */
    void printOutput() {
        output = group.freshOutput().get();
        results.print(output);
    }

    void registered(TestNode node) {
        results.listener().dynamicTestRegistered(node.descriptor);
    }

    void published(TestNode node, Map<String, String> entries) {
        Map<String, String> shown = new LinkedHashMap<>();
        entries.forEach((key, value) -> shown.put(XmlText.of(key), XmlText.of(value)));
        results.listener().reportingEntryPublished(node.descriptor, ReportEntry.from(shown));
    }

    /** Start a node and the nodes around it, unless they have started already. */
    void start(TestNode node) {
        if (node.isStarted() || node.isReported()) {
            return;
        }
        startAround(node);
        node.start();
        results.listener().executionStarted(node.descriptor);
    }

    private void startAround(TestNode node) {
        if (node.parent == null) {
            tree.startAround(node.descriptor);
        } else {
            start(node.parent);
        }
    }

    /** Report the result of a node, unless it must be rerun because of a device fault. */
    void conclude(TestNode node) {
        if (!retries.claims(node, group)) {
            report(node);
        }
    }

    /** Report the result of a node: its forced failure if it has one, otherwise the merged ends of its ranks. */
    void report(TestNode node) {
        retries.noteBringUp(node);
        if (node.forcedFailure() != null) {
            report(node, new Verdict.Failed(RankFailure.withoutStack(title(node) + ": " + node.forcedFailure())));
        } else if (!node.isTest() && node.hasFailedTests() && !node.ownFailure()) {
            report(node, new Verdict.Passed());
        } else {
            List<String> findings = findingsIn(node);
            Optional<BandwidthVerdict> bandwidth = bandwidthOf(node);
            boolean tooSlow = bandwidth.filter(each -> !each.met()).isPresent();
            boolean failed = !findings.isEmpty() || tooSlow || hasFailed(node);
            Optional<TestTimeline> timeline = timelineOf(node, failed);
            List<String> lines = new ArrayList<>(outputsOf(node, failed));
            lines.addAll(shakingOf(node, failed));
            lines.addAll(roundsOf(node, failed));
            Verdict verdict =
                    merged(title(node), node.ends, findings, timeline, lines).verdict();
            report(
                    node,
                    tooSlow && verdict instanceof Verdict.Passed
                            ? new Verdict.Failed(RankFailure.withoutStack(
                                    title(node) + ": " + bandwidth.orElseThrow().text()))
                            : verdict,
                    timeline);
        }
    }

    private List<String> findingsIn(TestNode node) {
        return node.isTest() && node.isEntered()
                ? group.checks().findings(node.uniqueId, title(node), !hasFailed(node))
                : List.of();
    }

    /** Only a test that has passed on all ranks has measured all that it wanted to. */
    private Optional<BandwidthVerdict> bandwidthOf(TestNode node) {
        double least = plan.declarationOf(node.root().uniqueId)
                .map(TestDeclaration::minBusBandwidth)
                .orElse(0.0);
        return least > 0 && node.isTest() && node.hasPassed(plan.ranks())
                ? Optional.of(BandwidthVerdict.of(least, plan.platform(), node.collectives.all()))
                : Optional.empty();
    }

    private static boolean hasFailed(TestNode node) {
        return node.ends.values().stream().anyMatch(end -> end.outcome().isFailure());
    }

    private Optional<TestTimeline> timelineOf(TestNode node, boolean failed) {
        return node.isTest() && node.isEntered()
                ? group.timelines().write(node.uniqueId, title(node), failed, phasesOf(node))
                : Optional.empty();
    }

    /** Those that have a time: what the first test of a group waited for, and what ranks have reported. */
    private List<HostPhase> phasesOf(TestNode node) {
        List<HostPhase> all = new ArrayList<>();
        GroupPhases ofGroup = group.phases();
        node.ends.forEach((rank, end) -> {
            GroupPhases.Goldens goldens = ofGroup.goldens();
            if (given == 0 && goldens.happened()) {
                all.add(new HostPhase(rank, Phase.GOLDENS.text(), goldens.began(), goldens.began() + goldens.nanos()));
            }
            if (given == 0 && ofGroup.compiled()) {
                long began = ofGroup.compileBegan();
                all.add(new HostPhase(rank, Phase.COMPILE.text(), began, began + ofGroup.compileNanos()));
            }
            end.spans().stream()
                    .filter(span -> span.phase() != Phase.RUN)
                    .forEach(span ->
                            all.add(new HostPhase(rank, span.phase().text(), span.beginNanos(), span.endNanos())));
        });
        return all;
    }

    /** Lines for the failure of a test whose outputs are kept; what there is to say of one that passed is printed and published. */
    private List<String> outputsOf(TestNode node, boolean failed) {
        if (!node.isTest() || !node.isEntered()) {
            return List.of();
        }
        List<String> lines = group.outputs().ended(node.uniqueId, failed);
        if (!failed) {
            tell(node, "rankunit.golden", lines);
            if (node.ends.values().stream()
                    .flatMap(end -> end.goldens().stream())
                    .anyMatch(GoldenSummary::isSkipped)) {
                published(node, Map.of("rankunit.golden", "not verified: goldens were skipped"));
            }
        }
        return lines;
    }

    private void tell(TestNode node, String key, List<String> lines) {
        lines.forEach(line -> {
            published(node, Map.of(key, line));
            System.out.println("rankunit: " + title(node) + ": " + line);
        });
    }

    /** Lines for the failure of a shaken test; what there is to say of one that passed is printed and published. */
    private List<String> shakingOf(TestNode node, boolean failed) {
        if (plan.shake().isEmpty() || !node.isTest() || !node.isEntered()) {
            return List.of();
        }
        Set<Integer> released = node.ends.entrySet().stream()
                .filter(end -> end.getValue().outcome() instanceof RankOutcome.Released)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        List<String> lines = group.shakings()
                .apply(new ShakenTest(
                        node.uniqueId,
                        node.descriptor.title(),
                        plan.variant() + plan.kind().runtime(),
                        plan.shake().get(),
                        node.shaken,
                        released,
                        failed));
        if (!failed) {
            tell(node, "rankunit.shaken", lines);
        }
        return lines;
    }

    /** Lines for the failure of a test with rounds; the times of one that passed are published. */
    private List<String> roundsOf(TestNode node, boolean failed) {
        if (!failed) {
            RoundStatistics.of(node.rounds, plan.ranks())
                    .ifPresent(statistics -> published(node, Map.of("rankunit.rounds", statistics.text())));
            return List.of();
        }
        List<Integer> ranks = node.ends.entrySet().stream()
                .filter(end -> end.getValue().outcome() instanceof RankOutcome.Failed)
                .map(Map.Entry::getKey)
                .toList();
        return RoundsText.of(node.rounds, ranks);
    }

    /** Merge the ends of the ranks for a node with this name. */
    MergedOutcome merged(String title, SortedMap<Integer, RankEnd> ends) {
        return merged(title, ends, List.of(), Optional.empty(), List.of());
    }

    private MergedOutcome merged(
            String title,
            SortedMap<Integer, RankEnd> ends,
            List<String> findings,
            Optional<TestTimeline> timeline,
            List<String> notes) {
        return new MergedOutcome(
                title,
                plan.ranks(),
                ends,
                group.devices(),
                group.logs(),
                findings,
                timeline.map(TestTimeline::file),
                notes);
    }

    /** Report this result of a node; start the node first unless the result is a skip. */
    void report(TestNode node, Verdict merged) {
        report(node, merged, Optional.empty());
    }

    private void report(TestNode node, Verdict merged, Optional<TestTimeline> timeline) {
        Verdict verdict = merged;
        if (!(merged instanceof Verdict.Skipped skipped)) {
            start(node);
        } else if (node.isStarted()) {
            // JUnit does not allow a skip after a start.
            verdict = new Verdict.Aborted(new TestAbortedException(XmlText.of(skipped.reason())));
        } else {
            startAround(node);
        }
        if (node.isTest()) {
            printOutput();
        }
        node.report(verdict instanceof Verdict.Failed);
        settledAny = true;
        tree.settled(node.descriptor);
        if (node.isTest() || (node.parent == null && node.children.isEmpty())) {
            tellOfRetry(node, verdict);
            tellOfLeftOut(node);
            given++;
            results.give(resultOf(node, verdict, timeline));
        } else {
            results.tell(node.descriptor, verdict);
        }
    }

    /** The node on which a rank of the current group runs. */
    String nodeOf(int rank) {
        return group.devices().get(rank).node();
    }

    private TestResult resultOf(TestNode node, Verdict verdict, Optional<TestTimeline> timeline) {
        long ended =
                node.ends.values().stream().mapToLong(RankEnd::endedNanos).max().orElse(node.startedNanos());
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
                given == 1 ? group.phases() : GroupPhases.KEPT,
                node.isStarted() ? Math.max(0, ended - node.startedNanos() - verify) : 0,
                verify,
                retries.note(node),
                timeline,
                RoundStatistics.of(node.rounds, plan.ranks()),
                node.collectives.all(),
                bandwidthOf(node).map(BandwidthVerdict::text).orElse(""),
                node.isStarted() ? OptionalLong.of(node.startedNanos()) : OptionalLong.empty(),
                output);
    }

    /** Always report that a test was rerun on other devices; if it failed, the failure already says so. */
    private void tellOfRetry(TestNode node, Verdict verdict) {
        if (!retries.note(node).isEmpty() && !(verdict instanceof Verdict.Failed)) {
            String text = name(node) + " was " + retries.note(node) + "; it did not fail on "
                    + DeviceRef.list(group.devices());
            published(node, Map.of("rankunit.retried", text));
            System.out.println("rankunit: " + text);
        }
    }

    /** Report what was left out even if nothing failed. */
    private void tellOfLeftOut(TestNode node) {
        node.ends.forEach((rank, end) -> {
            if (!end.leftOut().isEmpty()) {
                published(node, Map.of("rankunit.left-out", "rank " + rank + ": " + end.leftOut()));
            }
        });
    }

    String title(TestNode node) {
        return retries.note(node).isEmpty() ? name(node) : name(node) + " (" + retries.note(node) + ")";
    }

    private String name(TestNode node) {
        return node.descriptor.title() + " " + plan.title();
    }
}
