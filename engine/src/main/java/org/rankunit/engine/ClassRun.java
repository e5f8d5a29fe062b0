package org.rankunit.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.ObjLongConsumer;
import org.rankunit.engine.check.TestChecks;
import org.rankunit.engine.config.SessionTime;
import org.rankunit.engine.group.BringUpException;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.group.RankGroup;
import org.rankunit.engine.group.RankGroups;
import org.rankunit.engine.link.InterruptedGroupException;
import org.rankunit.engine.merge.ClassTree;
import org.rankunit.engine.merge.GroupHooks;
import org.rankunit.engine.merge.GroupMerge;
import org.rankunit.engine.merge.Results;
import org.rankunit.engine.plan.ClassPlan;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.prepare.PreparedGoldens;
import org.rankunit.engine.protocol.EventRecording;
import org.rankunit.engine.protocol.TestSelection;
import org.rankunit.engine.schedule.Parallelism;
import org.rankunit.engine.shake.ShakeFolder;
import org.rankunit.engine.site.ReservationException;
import org.rankunit.engine.timeline.trace.RecordFiles;
import org.rankunit.engine.timeline.trace.TraceFolder;
import org.rankunit.engine.watch.Watch;
import org.rankunit.engine.watch.WatchedGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the tests of one class at a time, on as many groups as needed. Thread-safe. */
final class ClassRun {

    private final RankGroups groups;
    private final Parallelism parallelism;
    private final SessionTime session;
    private final BooleanSupplier cancelled;
    private final ObjLongConsumer<GroupPlan> times;
    private final TraceFolder traces;
    private final TestChecks checks;
    private final ShakeFolder shakings;
    private final PreparedGoldens goldens;
    private final Watch watch;

    /**
     * Run classes on these groups.
     *
     * @param cancelled whether the user has cancelled the run
     * @param times receives how many nanoseconds a group took for all tests of a plan, if it ran them without a fault
     * @param traces writes the timelines of tests
     * @param checks checks tests that have ended
     * @param shakings keeps and compares what was decided in shaken tests
     * @param goldens those that models and files give
     * @param watch follows what groups do
     */
    ClassRun(
            RankGroups groups,
            Parallelism parallelism,
            SessionTime session,
            BooleanSupplier cancelled,
            ObjLongConsumer<GroupPlan> times,
            TraceFolder traces,
            TestChecks checks,
            ShakeFolder shakings,
            PreparedGoldens goldens,
            Watch watch) {
        this.goldens = goldens;
        this.watch = watch;
        this.traces = traces;
        this.checks = checks;
        this.shakings = shakings;
        this.times = times;
        this.session = session;
        this.groups = groups;
        this.parallelism = parallelism;
        this.cancelled = cancelled;
    }

    /**
     * Run one class.
     *
     * @param after the group that will be needed after those of this class
     */
    void run(ClassPlan plan, Results results, Optional<GroupPlan> after) {
        List<GroupPlan> wanted = plan.groups();
        try (ClassTree tree = new ClassTree(plan, results.listener())) {
            plan.tests().forEach(test -> results.withoutRun(test, tree));
            for (int i = 0; i < wanted.size(); i++) {
                GroupPlan group = wanted.get(i);
                Optional<GroupPlan> next = i + 1 < wanted.size() ? Optional.of(wanted.get(i + 1)) : after;
                runOn(plan, group, merge(group, tree, results), next);
            }
        }
    }

    private static List<RecordFiles> records(RankGroup group, String uniqueId) {
        return group.eventLogs().stream()
                .map(log -> new RecordFiles(log, EventRecording.memoryFile(log, uniqueId)))
                .toList();
    }

    private GroupMerge merge(GroupPlan plan, ClassTree tree, Results results) {
        return new GroupMerge(plan, tree, results, cancelled, avoided -> groups.whyNever(plan, avoided));
    }

    private void runOn(ClassPlan type, GroupPlan plan, GroupMerge merge, Optional<GroupPlan> next) {
        GroupPhases.Goldens wait = awaitGoldens(plan, merge);
        if (merge.remaining().isEmpty()) {
            return;
        }
        try (WatchedGroup watched = watch.begin(plan)) {
            runOn(type, plan, merge, next, watched, wait);
        }
    }

    private void runOn(
            ClassPlan type,
            GroupPlan plan,
            GroupMerge merge,
            Optional<GroupPlan> next,
            WatchedGroup watched,
            GroupPhases.Goldens wait) {
        Parallelism.Slot slot;
        try {
            slot = parallelism.enter(plan, type::sharedResources);
        } catch (ReservationException e) {
            noRanks(plan, merge, e);
            return;
        }
        try (slot) {
            while (!cancelled.getAsBoolean()
                    && !session.isOver()
                    && !merge.remaining().isEmpty()) {
                runSome(plan, merge, next, watched, wait);
                wait = GroupPhases.Goldens.READY;
            }
            if (session.isOver()) {
                merge.failRemaining("did not run: " + session.describe());
            }
            if (cancelled.getAsBoolean()) {
                merge.skipRemaining(Cancellation.REASON);
            }
        }
    }

    /** Fail the tests that have no goldens. No group is kept idle for the time that goldens take. */
    private GroupPhases.Goldens awaitGoldens(GroupPlan plan, GroupMerge merge) {
        long begin = System.nanoTime();
        boolean ready = goldens.areReady(plan);
        if (!ready) {
            groups.endUnused();
        }
        try {
            goldens.problems(plan).forEach(merge::fail);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            noRanks(plan, merge, new InterruptedGroupException());
        }
        return ready ? GroupPhases.Goldens.READY : new GroupPhases.Goldens(begin, System.nanoTime() - begin);
    }

    /** Run the remaining tests on one group, which runs at least one of them. */
    private void runSome(
            GroupPlan plan,
            GroupMerge merge,
            Optional<GroupPlan> next,
            WatchedGroup watched,
            GroupPhases.Goldens wait) {
        RankGroup group;
        try {
            watched.needsRanks();
            group = groups.take(plan, merge.avoided(), watched);
            watched.works(group.devices());
        } catch (BringUpException e) {
            if (merge.repeatsBringUp(e)) {
                System.out.println("rankunit: " + plan.className() + " " + plan.title() + " is brought up again"
                        + (e.atFault().isEmpty() ? "" : " on other devices") + ": " + e.getMessage());
            } else {
                noRanks(plan, merge, e);
            }
            return;
        } catch (ReservationException | InterruptedGroupException e) {
            noRanks(plan, merge, e);
            return;
        }
        boolean clean = false;
        try {
            next.filter(after -> !isKeptFor(plan, after) && goldens.areReady(after))
                    .ifPresent(groups::prepare);
            merge.begin(new GroupHooks(
                    group.number(),
                    group.devices(),
                    group.logFiles(),
                    group.takePhases().after(wait),
                    group::freshOutput,
                    (uniqueId, title, failed, phases) ->
                            traces.write(() -> records(group, uniqueId), uniqueId, title, failed, phases),
                    (uniqueId, title, passed) -> checks.findings(group.eventLogs(), uniqueId, title, passed),
                    shakings::ended,
                    (uniqueId, failed) -> goldens.ended(plan, uniqueId, failed)));
            List<TestSelection> tests = goldens.with(plan, merge.remaining());
            long begin = System.nanoTime();
            clean = group.run(tests, watched.events(merge));
            if (clean && tests.size() == plan.tests().size()) {
                times.accept(plan, System.nanoTime() - begin);
            }
            merge.end();
        } catch (InterruptedGroupException e) {
            noRanks(plan, merge, e);
        } finally {
            groups.giveBack(group, plan, clean);
        }
    }

    /** Whether the group of one plan will be reused for the next. */
    private static boolean isKeptFor(GroupPlan plan, GroupPlan after) {
        return !plan.fresh() && !after.fresh() && plan.kind().equals(after.kind());
    }

    private static void noRanks(GroupPlan plan, GroupMerge merge, Exception cause) {
        log().debug("No ranks for {}", plan.className(), cause);
        merge.failRemaining(String.valueOf(cause.getMessage()));
    }

    /** Created only when there is something to log: without a provider, slf4j prints a warning at the first logger. */
    private static Logger log() {
        return LoggerFactory.getLogger(ClassRun.class);
    }
}
