package org.rankunit.collective.verify.symmetry;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.TaskKind;
import org.rankunit.collective.verify.finding.FindingKind;

/**
 * Runs the tasks of rank 0 on symbols, where all ranks are at the same place of their tasks, shifted. What happens before what does
 * not depend on the order in which streams run, and is the same for all ranks but for the shift: so the clock with which another rank
 * posts is that with which rank 0 posts, shifted.
 */
@API(status = INTERNAL, since = "0.1")
public final class OrbitRun {

    private final CollectiveCall call;
    private final Shifts shifts;
    private final RankSchedule rank;
    private final int rounds;
    /** The lane of each wire, by peer and link. */
    private final Map<Long, Integer> wires = new HashMap<>();
    /** The stream that writes over each wire. */
    private final Map<Integer, Integer> writers = new HashMap<>();

    private final OrbitNotifies notifies;
    private final Doubts doubts = new Doubts();
    private final OrbitMemory memory;
    private final OrbitResults results;
    private final int lanes;
    private final OrbitClock[] clocks;
    /** Where each stream is, in tasks of all rounds. */
    private final int[] places;

    private final ArrayDeque<Integer> ready = new ArrayDeque<>();
    private final ArrayDeque<OrbitClock> spare = new ArrayDeque<>();
    private int steps;

    /** @param rounds how often the call is made in a row */
    public OrbitRun(Orbit orbit, int rounds) {
        this.call = orbit.layout().call();
        this.shifts = orbit.layout().shifts();
        this.rank = orbit.first();
        this.rounds = rounds;
        this.notifies = new OrbitNotifies(shifts, rank);
        OrbitExpressions expressions = new OrbitExpressions(shifts);
        this.memory = new OrbitMemory(orbit.layout(), rank, expressions, doubts);
        this.results = new OrbitResults(orbit.layout(), memory, expressions, doubts);
        findWires();
        this.lanes = rank.streams() + wires.size();
        this.places = new int[rank.streams()];
        this.clocks = new OrbitClock[lanes];
        for (int lane = 0; lane < lanes; lane++) {
            clocks[lane] = new OrbitClock(shifts, lanes);
        }
    }

    private void findWires() {
        for (int task = 0; task < rank.size(); task++) {
            if (rank.kind(task).writesThere() && !call.sameServer(0, rank.peer(task))) {
                long wire = wire(rank.peer(task), rank.code(task));
                int lane = wires.computeIfAbsent(wire, key -> rank.streams() + wires.size());
                int stream = rank.stream(task);
                if (writers.getOrDefault(lane, stream) != stream) {
                    // Which of them is the first to write is open.
                    doubts.add(FindingKind.RACE);
                }
                writers.put(lane, stream);
            }
        }
    }

    private static long wire(int peer, int link) {
        return ((long) peer << Integer.SIZE) | link;
    }

    /** Run all; returns the kinds of findings that there may be, of which all ranks are free if there are none. */
    public List<FindingKind> run() {
        for (int stream = 0; stream < places.length; stream++) {
            ready.add(stream);
        }
        while (!ready.isEmpty() && doubts.isEmpty()) {
            runUntilItWaits(ready.remove());
        }
        if (doubts.isEmpty()) {
            checkEnd();
        }
        return doubts.kinds();
    }

    /** The largest number of transfers that come one after the other, in the first round. */
    public int steps() {
        return steps;
    }

    /** Whether all ranks hold the same bits, of collectives where they hold the same elements. */
    public boolean sameOnAllRanks() {
        return results.sameOnAllRanks();
    }

    private boolean hasEnded(int stream) {
        return places[stream] == rounds * (rank.size(stream) + 1);
    }

    private void runUntilItWaits(int stream) {
        OrbitClock clock = clocks[stream];
        int length = rank.size(stream) + 1;
        while (!hasEnded(stream)) {
            int place = places[stream] % length;
            if (place == 0) {
                int time = begin(stream);
                if (stream == 0) {
                    memory.callerWrites(clock.epoch(0, 0, time), clock.of(0));
                }
                continue;
            }
            int task = rank.number(stream, place - 1);
            TaskKind kind = rank.kind(task);
            if (kind == TaskKind.WAIT) {
                if (!waitsNoMore(task, stream)) {
                    return;
                }
            } else if (kind == TaskKind.POST) {
                post(task, stream);
            } else {
                move(task, kind, stream);
            }
        }
    }

    private int begin(int stream) {
        places[stream]++;
        return clocks[stream].tick(stream);
    }

    private boolean waitsNoMore(int task, int stream) {
        OrbitNotifies.State notify = notifies.of(task);
        OrbitClock theirs = notify.posted;
        OrbitClock clock = clocks[stream];
        if (theirs == null) {
            if (notify.waiting >= 0 && notify.waiting != stream) {
                doubts.add(FindingKind.NOTIFY_AWAITED_TWICE);
            }
            notify.waiting = stream;
            return false;
        }
        if (!clock.of(0).hasSeen(clock.epoch(0, notify.lastLane, notify.lastTime))) {
            doubts.add(FindingKind.NOTIFY_AWAITED_TWICE);
        }
        notify.lastLane = stream;
        notify.lastTime = begin(stream);
        notify.posted = null;
        clock.join(theirs, Math.max(0, rank.peer(task)));
        spare.push(theirs);
        return true;
    }

    private void post(int task, int stream) {
        OrbitNotifies.State notify = notifies.of(task);
        OrbitClock clock = clocks[stream];
        begin(stream);
        int peer = rank.peer(task);
        int by = peer < 0 ? 0 : shifts.inverse(peer);
        boolean awaited = clock.of(by).hasSeen(clock.epoch(0, notify.lastLane, notify.lastTime));
        if (notify.posted != null || !awaited) {
            doubts.add(FindingKind.NOTIFY_POSTED_TWICE);
            return;
        }
        OrbitClock copy = spare.isEmpty() ? new OrbitClock(shifts, lanes) : spare.pop();
        copy.set(clock);
        Integer wire =
                peer < 0 ? null : wires.get(wire(peer, rank.notifyName(task).link()));
        if (wire != null) {
            if (writers.getOrDefault(wire, -1) != stream) {
                // It may not know of all that was written.
                doubts.add(FindingKind.RACE);
            }
            copy.join(clocks[wire], 0);
        }
        notify.posted = copy;
        if (notify.waiting >= 0) {
            ready.add(notify.waiting);
            notify.waiting = -1;
        }
    }

    private void move(int task, TaskKind kind, int stream) {
        int lane = stream;
        int time = begin(stream);
        Integer wire = kind.writesThere() ? wires.get(wire(rank.peer(task), rank.code(task))) : null;
        if (wire != null) {
            lane = wire;
            clocks[lane].join(clocks[stream], 0);
            time = clocks[lane].tick(lane);
        }
        OrbitClock known = clocks[lane];
        if (kind.isTransfer()) {
            known.addStep();
            boolean first = places[stream] <= rank.size(stream) + 1;
            steps = first ? Math.max(steps, known.steps()) : steps;
        }
        memory.move(rank, task, lane, time, known);
    }

    private void checkEnd() {
        for (int stream = 0; stream < places.length; stream++) {
            if (!hasEnded(stream)) {
                doubts.add(FindingKind.DEADLOCK);
                return;
            }
        }
        for (int lane = 1; lane < lanes; lane++) {
            boolean hasTasks = lane >= places.length || rank.size(lane) > 0;
            long last = clocks[0].epoch(0, lane, clocks[lane].time(lane));
            if (hasTasks && !clocks[0].of(0).hasSeen(last)) {
                doubts.add(FindingKind.NOT_JOINED);
            }
        }
        memory.callerGoesOn(clocks[0].epoch(0, 0, clocks[0].time(0) + 1), clocks[0].of(0));
        if (notifies.isAnySet()) {
            doubts.add(FindingKind.NOTIFY_LEFT_SET);
        }
        results.check();
    }
}
