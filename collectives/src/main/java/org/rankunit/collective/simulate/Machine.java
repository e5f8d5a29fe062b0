package org.rankunit.collective.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.DeadlockException;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/**
 * Runs streams in the order of time. The only events are streams that can go on; a transfer takes its ports when it begins, so that
 * nothing is looked at twice.
 */
final class Machine {

    private static final int ABSENT = -1;
    private static final int TOLD = 8;

    private final Schedule schedule;
    private final CollectiveCall call;
    private final Topology topology;
    private final int[] firsts;
    private final int[] rankOf;
    private final int[] places;
    /** The last step of each stream. */
    private final int[] lasts;

    private final double[] nows;
    private final int[][] notifyOf;
    /** When a notify was set; NaN while it is not. */
    private final double[] setAt;

    private final int[] setBy;
    private final int[] waiting;
    private final ReadyStreams ready = new ReadyStreams();
    private final Steps steps = new Steps();
    private final Network network;
    private final LinkTable links = new LinkTable();

    /** Streams that have paid for the task that they are at. */
    private final boolean[] paid;

    private long events;

    /** When each task ran; null if it is not recorded. */
    private @Nullable List<Trace.Event> trace;
    /** The event that has set a notify. */
    private final int[] postedAt;

    Machine(Schedule schedule, Topology topology) {
        this.schedule = schedule;
        this.call = schedule.call();
        this.topology = topology;
        int ranks = call.ranks();
        this.firsts = new int[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            firsts[rank + 1] = firsts[rank] + schedule.rank(rank).streams();
        }
        int streams = firsts[ranks];
        this.rankOf = new int[streams];
        for (int rank = 0; rank < ranks; rank++) {
            Arrays.fill(rankOf, firsts[rank], firsts[rank + 1], rank);
        }
        this.places = new int[streams];
        this.lasts = filled(streams);
        this.nows = new double[streams];
        this.paid = new boolean[streams];
        this.notifyOf = new int[ranks][];
        int notifies = numberNotifies();
        this.setAt = new double[notifies];
        Arrays.fill(setAt, Double.NaN);
        this.setBy = filled(notifies);
        this.waiting = filled(notifies);
        this.postedAt = filled(notifies);
        this.network = new Network(topology, call.servers());
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, ABSENT);
        return array;
    }

    private int numberNotifies() {
        Map<NotifyName, Integer> numbers = new HashMap<>();
        for (RankSchedule rank : schedule.ranks()) {
            int[] ofTask = filled(rank.size());
            for (int task = 0; task < ofTask.length; task++) {
                if (!rank.kind(task).movesData()) {
                    ofTask[task] = numbers.computeIfAbsent(rank.notifyName(task), name -> numbers.size());
                }
            }
            notifyOf[rank.rank()] = ofTask;
        }
        return numbers.size();
    }

    Simulation run() {
        runAll();
        requireEnd();
        return result();
    }

    /** Run what can be run, and tell when. */
    Trace trace() {
        List<Trace.Event> told = new ArrayList<>();
        trace = told;
        runAll();
        return new Trace(told, stuck());
    }

    private void runAll() {
        for (int stream = 0; stream < places.length; stream++) {
            ready.add(0, stream);
        }
        while (!ready.isEmpty()) {
            double time = ready.firstTime();
            int next = ready.remove();
            if (next >= 0) {
                goOn(next);
            } else {
                release(-1 - next, time);
            }
        }
    }

    /** Run a stream until it must wait, for a notify or for time to pass. */
    private void goOn(int stream) {
        RankSchedule rank = schedule.rank(rankOf[stream]);
        int number = stream - firsts[rankOf[stream]];
        while (places[stream] < rank.size(number)) {
            if (!hasPaid(stream)) {
                return;
            }
            int task = rank.number(number, places[stream]);
            TaskKind kind = rank.kind(task);
            if (kind == TaskKind.WAIT && !take(notifyOf[rank.rank()][task], stream)) {
                return;
            }
            paid[stream] = false;
            places[stream]++;
            events++;
            if (kind == TaskKind.WAIT) {
                tell(rank, task, nows[stream], nows[stream], postedAt[notifyOf[rank.rank()][task]]);
            } else if (kind == TaskKind.POST) {
                tell(rank, task, nows[stream], nows[stream], Trace.NONE);
                post(notifyOf[rank.rank()][task], stream);
            } else if (kind.movesData() && !move(rank, task, kind, stream)) {
                return;
            }
            if (!ready.isEmpty() && nows[stream] > ready.firstTime()) {
                ready.add(nows[stream], stream);
                return;
            }
        }
    }

    /** Let the cost of the next task pass; returns false if others are earlier then. */
    private boolean hasPaid(int stream) {
        if (paid[stream] || topology.task() == 0) {
            return true;
        }
        paid[stream] = true;
        nows[stream] += topology.task();
        if (!ready.isEmpty() && nows[stream] > ready.firstTime()) {
            ready.add(nows[stream], stream);
            return false;
        }
        return true;
    }

    private boolean take(int notify, int stream) {
        if (Double.isNaN(setAt[notify])) {
            waiting[notify] = stream;
            return false;
        }
        if (setAt[notify] > nows[stream]) {
            nows[stream] = setAt[notify];
            lasts[stream] = setBy[notify];
        }
        setAt[notify] = Double.NaN;
        return true;
    }

    private void tell(RankSchedule rank, int task, double begin, double end, int post) {
        if (trace != null) {
            trace.add(new Trace.Event(rank.rank(), task, begin, end, post));
        }
    }

    private void post(int notify, int stream) {
        postedAt[notify] = trace == null ? ABSENT : trace.size() - 1;
        setAt[notify] = nows[stream];
        setBy[notify] = lasts[stream];
        if (waiting[notify] != ABSENT) {
            ready.add(nows[stream], waiting[notify]);
            waiting[notify] = ABSENT;
        }
    }

    /** Begin a task that moves data; returns false if it waits for ports. */
    private boolean move(RankSchedule rank, int task, TaskKind kind, int stream) {
        if (kind.isTransfer()) {
            return transfer(rank, task, stream);
        }
        long bytes = rank.bytes(task);
        double reduction = kind.reduces() ? bytes * topology.reduction() : 0;
        double end = nows[stream] + bytes / topology.copyBandwidth() + reduction;
        record(rank, task, stream, lasts[stream], nows[stream], end);
        return true;
    }

    /** The rank that data comes from. */
    private static int from(RankSchedule rank, int task) {
        return rank.kind(task).readsThere() ? rank.peer(task) : rank.rank();
    }

    private static int to(RankSchedule rank, int task) {
        return rank.kind(task).readsThere() ? rank.rank() : rank.peer(task);
    }

    private boolean transfer(RankSchedule rank, int task, int stream) {
        int[] route = network.route(from(rank, task), to(rank, task));
        if (!network.isFreeOrWaits(route, stream)) {
            return false;
        }
        begin(rank, task, stream, route, lasts[stream]);
        return true;
    }

    private void begin(RankSchedule rank, int task, int stream, int[] route, int before) {
        TaskKind kind = rank.kind(task);
        int from = from(rank, task);
        int to = to(rank, task);
        long bytes = rank.bytes(task);
        double seconds = network.seconds(from, to, bytes);
        double begin = nows[stream];
        double end = begin + network.latency(from, to) + seconds + (kind.reduces() ? bytes * topology.reduction() : 0);
        int step = record(rank, task, stream, before, begin, end);
        links.add(from, to, bytes, seconds);
        network.occupy(route, step, bytes, seconds);
        for (int port : route) {
            ready.add(begin + seconds, -1 - port);
        }
    }

    /** A port is free again: those that wait for it may begin. */
    private void release(int port, double time) {
        network.release(port);
        for (int stream : network.waiting(port)) {
            RankSchedule rank = schedule.rank(rankOf[stream]);
            int task = rank.number(stream - firsts[rank.rank()], places[stream] - 1);
            int[] route = network.route(from(rank, task), to(rank, task));
            if (network.isFreeAgain(route, stream)) {
                nows[stream] = time;
                begin(rank, task, stream, route, network.holder(port));
                ready.add(nows[stream], stream);
            }
        }
    }

    private int record(RankSchedule rank, int task, int stream, int before, double begin, double end) {
        tell(rank, task, begin, end, Trace.NONE);
        int step = steps.add(rank.rank(), task, before, begin, end);
        lasts[stream] = step;
        nows[stream] = end;
        return step;
    }

    /** The tasks that streams wait in. */
    private List<Task> stuck() {
        List<Task> stuck = new ArrayList<>();
        for (int stream = 0; stream < places.length; stream++) {
            RankSchedule rank = schedule.rank(rankOf[stream]);
            int number = stream - firsts[rankOf[stream]];
            if (places[stream] < rank.size(number)) {
                stuck.add(rank.task(rank.number(number, places[stream])));
            }
        }
        return stuck;
    }

    private void requireEnd() {
        List<String> stuck = stuck().stream().map(Task::toString).toList();
        if (!stuck.isEmpty()) {
            String streams = stuck.size() == 1 ? "1 stream waits" : stuck.size() + " streams wait";
            throw new DeadlockException(schedule.algorithm() + ", " + call + ": " + streams + " forever:\n  "
                    + String.join("\n  ", stuck.subList(0, Math.min(TOLD, stuck.size())))
                    + (stuck.size() > TOLD ? "\n  ... and " + (stuck.size() - TOLD) + " more" : ""));
        }
    }

    private Simulation result() {
        List<Double> ends = new ArrayList<>();
        int last = ABSENT;
        double seconds = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            int main = firsts[rank];
            ends.add(nows[main]);
            if (nows[main] > seconds) {
                seconds = nows[main];
                last = lasts[main];
            }
        }
        double whole = seconds;
        return new Simulation(
                schedule.algorithm(),
                call,
                seconds,
                ends,
                events,
                IntStream.range(0, topology.levels().size())
                        .mapToObj(level -> network.busy(level, whole))
                        .toList(),
                network.uses(seconds),
                links.uses(seconds),
                Simulation.path(schedule, steps, last));
    }
}
