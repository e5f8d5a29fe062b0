package org.rankunit.engine.watch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rankunit.engine.group.RankGroups;
import org.rankunit.engine.lockstep.RankEvents;
import org.rankunit.engine.plan.Durations;
import org.rankunit.engine.plan.GroupPlan;
import org.rankunit.engine.plan.PlannedTest;
import org.rankunit.engine.protocol.DeviceRef;

/** Follows one group from its turn to the end of its tests. Thread-safe. */
public final class WatchedGroup implements RankGroups.Stages, AutoCloseable {

    private static final long NANOS_PER_MICRO = 1_000;

    private final GroupPlan plan;
    private final Durations durations;
    private final LongSupplier clock;
    private final LongSupplier keys;
    private final Consumer<WatchedGroup> ends;
    private final Map<String, PlannedTest> tests = new HashMap<>();

    // Guarded by this.
    private GroupStatus.Stage stage = GroupStatus.Stage.TURN;
    private String what = "";
    private String test = "";
    private OptionalLong usualNanos = OptionalLong.empty();
    private List<DeviceRef> devices = List.of();
    private final SortedSet<Integer> ended = new TreeSet<>();
    private long key;
    private long since;
    private long worksSince;

    WatchedGroup(
            GroupPlan plan, Durations durations, LongSupplier clock, LongSupplier keys, Consumer<WatchedGroup> ends) {
        this.plan = plan;
        this.durations = durations;
        this.clock = clock;
        this.keys = keys;
        this.ends = ends;
        plan.tests().forEach(each -> tests.put(each.test().jupiterId(), each));
        enter(GroupStatus.Stage.TURN, "");
    }

    private synchronized void enter(GroupStatus.Stage next, String doing) {
        stage = next;
        what = doing;
        test = "";
        usualNanos = OptionalLong.empty();
        ended.clear();
        key = keys.getAsLong();
        since = clock.getAsLong();
    }

    /** It is its turn: it needs a group. */
    public synchronized void needsRanks() {
        devices = List.of();
        enter(GroupStatus.Stage.DEVICES, "");
    }

    @Override
    public synchronized void waits(String text) {
        what = text;
    }

    @Override
    public synchronized void leased(List<DeviceRef> leased) {
        devices = List.copyOf(leased);
        enter(GroupStatus.Stage.START, "");
    }

    /** It has a group, which runs its tests from now on. */
    public synchronized void works(List<DeviceRef> used) {
        devices = List.copyOf(used);
        enter(GroupStatus.Stage.RUN, "");
        worksSince = since;
    }

    /** Follow the events of the group, and pass them on. */
    public RankEvents events(RankEvents receiver) {
        return new WatchedEvents(this, receiver);
    }

    synchronized void entered(String uniqueId) {
        PlannedTest planned = tests.get(uniqueId);
        // A dynamic test, or an invocation: its test is what has a name and a record.
        String title = planned == null ? what : planned.node().title();
        enter(GroupStatus.Stage.RUN, title);
        test = uniqueId;
        usualNanos = planned == null ? OptionalLong.empty() : nanos(durations.usual(plan, planned));
    }

    synchronized void ended(int rank, String uniqueId) {
        if (!test.isEmpty() && test.equals(uniqueId)) {
            ended.add(rank);
        }
    }

    synchronized GroupStatus status() {
        long now = clock.getAsLong();
        OptionalLong left = OptionalLong.empty();
        if (stage == GroupStatus.Stage.RUN) {
            OptionalLong usual = nanos(durations.usual(plan));
            long rest = usual.orElse(0) - (now - worksSince);
            left = rest > 0 ? OptionalLong.of(rest) : OptionalLong.empty();
        }
        return new GroupStatus(
                key,
                plan.className() + " " + plan.title(),
                stage,
                what,
                plan.ranks(),
                devices,
                List.copyOf(ended),
                now - since,
                usualNanos,
                left);
    }

    private static OptionalLong nanos(OptionalLong micros) {
        return micros.isPresent() ? OptionalLong.of(micros.getAsLong() * NANOS_PER_MICRO) : OptionalLong.empty();
    }

    /** Its tests have ended. */
    @Override
    public void close() {
        ends.accept(this);
    }
}
