package org.rankunit.collective.verify;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;
import org.rankunit.collective.verify.finding.Findings;
import org.rankunit.collective.verify.memory.Expressions;
import org.rankunit.collective.verify.memory.Memory;
import org.rankunit.collective.verify.order.Clock;
import org.rankunit.collective.verify.order.Epoch;
import org.rankunit.collective.verify.order.NotifyTable;
import org.rankunit.collective.verify.order.Streams;

/** Runs all tasks of a schedule on symbols: each stream until it waits, then another one. */
final class SymbolicRun {

    private static final String NEXT_CALL = "; the second of them is of the next call";

    private final Schedule schedule;
    private final Findings findings;
    private final Streams streams;
    private final NotifyTable notifies;
    private final Memory memory;
    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    private final ArrayDeque<Clock> spare = new ArrayDeque<>();
    /** Notifies of which a post was lost: who waits for it then waits as a consequence. */
    private final Set<NotifyName> lost = new HashSet<>();

    private int steps;

    SymbolicRun(Schedule schedule, int rounds, Expressions expressions, Findings findings) {
        this.schedule = schedule;
        this.findings = findings;
        this.streams = new Streams(schedule, rounds);
        this.notifies = new NotifyTable(schedule);
        this.memory = new Memory(schedule, streams, expressions, findings);
    }

    Memory memory() {
        return memory;
    }

    /** The largest number of transfers that come one after the other, in the first round. */
    int steps() {
        return steps;
    }

    /** Run all; returns whether all streams have come to their end. */
    boolean run() {
        for (int stream = 0; stream < streams.size(); stream++) {
            ready.add(stream);
        }
        while (!ready.isEmpty()) {
            runUntilItWaits(ready.remove());
        }
        boolean ended = true;
        for (int stream = 0; stream < streams.size(); stream++) {
            ended &= streams.hasEnded(stream);
        }
        if (ended) {
            checkJoined();
            checkGivenBack();
            checkReset();
        } else {
            new Deadlock(schedule, streams, lost).tell(findings);
        }
        return ended;
    }

    private void runUntilItWaits(int stream) {
        RankSchedule rank = schedule.rank(streams.rank(stream));
        Clock clock = streams.clock(stream);
        while (!streams.hasEnded(stream)) {
            if (streams.isAtCaller(stream)) {
                long epoch = streams.begin(stream);
                if (streams.isMain(stream)) {
                    memory.callerWrites(rank.rank(), epoch, clock);
                }
                continue;
            }
            int task = streams.nextTask(stream);
            TaskKind kind = rank.kind(task);
            if (kind == TaskKind.WAIT) {
                int id = notifies.of(rank.rank(), task);
                if (!notifies.isSet(id)) {
                    block(id, stream);
                    return;
                }
                take(id, stream, clock);
            } else if (kind == TaskKind.POST) {
                post(rank, task, stream, clock);
            } else {
                move(rank, task, kind, stream, clock);
            }
        }
    }

    private void block(int id, int stream) {
        int other = notifies.waiting(id);
        if (other >= 0 && other != stream) {
            findings.add(
                    FindingKind.NOTIFY_AWAITED_TWICE,
                    "two streams wait for " + notifies.name(id) + " at the same time");
        }
        notifies.setWaiting(id, stream);
    }

    private void take(int id, int stream, Clock clock) {
        long before = notifies.lastWait(id);
        long epoch = streams.begin(stream);
        if (!clock.hasSeen(before)) {
            report(
                    FindingKind.NOTIFY_AWAITED_TWICE,
                    "nothing orders two waits for " + notifies.name(id),
                    before,
                    epoch);
        }
        Clock theirs = notifies.taken(id, epoch);
        clock.join(theirs);
        spare.push(theirs);
    }

    private void report(FindingKind kind, String text, long one, long other) {
        Task first = streams.task(one);
        Task second = streams.task(other);
        if (first != null && second != null) {
            findings.addOnce(kind, text + (streams.areOfOneCall(one, other) ? "" : NEXT_CALL), first, second);
        }
    }

    private void post(RankSchedule rank, int task, int stream, Clock clock) {
        int id = notifies.of(rank.rank(), task);
        long epoch = streams.begin(stream);
        if (notifies.isSet(id)) {
            report(
                    FindingKind.NOTIFY_POSTED_TWICE,
                    notifies.name(id) + " is posted while it is set: one of the two is lost",
                    notifies.postOf(id),
                    epoch);
            lost.add(notifies.name(id));
            return;
        }
        if (!clock.hasSeen(notifies.lastWait(id))) {
            report(
                    FindingKind.NOTIFY_POSTED_TWICE,
                    notifies.name(id) + " is posted again, and nothing orders this after the wait for the one before",
                    notifies.lastWait(id),
                    epoch);
        }
        Clock copy = spare.isEmpty() ? streams.newClock() : spare.pop();
        copy.set(clock);
        int wire = streams.wire(rank.rank(), task);
        if (wire >= 0) {
            streams.arrived(wire, copy);
        }
        notifies.set(id, epoch, copy);
        int waiting = notifies.waiting(id);
        if (waiting >= 0) {
            notifies.setWaiting(id, -1);
            // Next, while what both know is still in the cache.
            ready.addFirst(waiting);
        }
    }

    private void move(RankSchedule rank, int task, TaskKind kind, int stream, Clock clock) {
        long epoch = streams.begin(stream);
        Clock known = clock;
        int wire = streams.wire(rank.rank(), task);
        if (wire >= 0) {
            known = streams.clockOfWire(wire, stream);
            epoch = streams.beginOnWire(wire, stream, task);
        } else if (kind.isTransfer()) {
            known.addStep();
        }
        if (kind.isTransfer()) {
            steps = streams.isInFirstRound(stream) ? Math.max(steps, known.steps()) : steps;
        }
        memory.move(rank, task, epoch, known);
    }

    /** What a rank has begun has ended when its main stream ends. */
    private void checkJoined() {
        for (RankSchedule rank : schedule.ranks()) {
            int main = streams.first(rank.rank());
            Clock clock = streams.clock(main);
            for (int stream = main + 1; stream < streams.end(rank.rank()); stream++) {
                checkJoined(clock, lastOf(stream), rank.rank());
            }
            for (long last : streams.lastOnWires(rank.rank())) {
                checkJoined(clock, last, rank.rank());
            }
        }
    }

    private long lastOf(int stream) {
        int rounds = streams.rounds();
        return Epoch.of(stream, rounds * (schedule.rank(streams.rank(stream)).size(streams.number(stream)) + 1));
    }

    private void checkJoined(Clock main, long last, int rank) {
        Task task = streams.task(last);
        if (task != null && !main.hasSeen(last)) {
            findings.add(
                    FindingKind.NOT_JOINED,
                    "the main stream of rank " + rank + " does not wait for the end of this task",
                    task);
        }
    }

    /** No task uses what belongs to the caller after its rank has ended. */
    private void checkGivenBack() {
        for (int rank = 0; rank < schedule.call().ranks(); rank++) {
            int main = streams.first(rank);
            memory.callerGoesOn(rank, streams.afterAll(main), streams.clock(main));
        }
    }

    private void checkReset() {
        for (int id = 0; id < notifies.size(); id++) {
            if (notifies.isSet(id)) {
                Task task = streams.task(notifies.postOf(id));
                if (task != null) {
                    findings.add(
                            FindingKind.NOTIFY_LEFT_SET,
                            notifies.name(id) + " is posted, and nothing waits for it: the next call would",
                            task);
                }
            }
        }
    }
}
