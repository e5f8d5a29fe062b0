package org.rankunit.coll.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.schedule.NotifyName;
import org.rankunit.coll.schedule.RankSchedule;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.schedule.Task;
import org.rankunit.coll.schedule.TaskKind;

/**
 * Runs streams in the order of time. The only events are streams that can go on; a transfer takes its ports when it begins, so that
 * nothing is looked at twice.
 */
final class Machine {

    private static final int NOBODY = -1;
    private static final int TOLD = 8;
    /** To send and to receive, inside a server and between servers. */
    private static final int KINDS = 4;

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
    private final Ports ports;
    /** Of a transfer between servers: that of a port, or of its share of an uplink. */
    private final double betweenBandwidth;

    /** Streams that have paid for the task that they are at. */
    private final boolean[] paid;

    private long events;

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
        this.ports = new Ports(capacities());
        this.betweenBandwidth = Math.min(topology.between().bandwidth(), uplinkBandwidth() / uplinkSlots());
    }

    private static int[] filled(int length) {
        int[] array = new int[length];
        Arrays.fill(array, NOBODY);
        return array;
    }

    /** The numbers of ports: {@link #KINDS} for each rank, then an uplink for each server. */
    private int[] capacities() {
        int ranks = call.ranks();
        int[] capacities = new int[ranks * KINDS + (ranks - 1) / call.ranksPerServer() + 1];
        Arrays.fill(capacities, ranks * KINDS, capacities.length, uplinkSlots());
        for (int rank = 0; rank < ranks; rank++) {
            capacities[out(rank, true)] = topology.inside().ports();
            capacities[in(rank, true)] = topology.inside().ports();
            capacities[out(rank, false)] = topology.between().ports();
            capacities[in(rank, false)] = topology.between().ports();
        }
        return capacities;
    }

    /** Ports of a server's ranks to other servers. */
    private int portsOfServer() {
        return topology.between().ports() * Math.min(call.ranksPerServer(), call.ranks());
    }

    private double uplinkBandwidth() {
        return topology.between().bandwidth() * portsOfServer() / topology.oversubscription();
    }

    /** How many transfers an uplink carries at a time, as far as possible as fast as a port does. */
    private int uplinkSlots() {
        return Math.max(1, (int) (portsOfServer() / topology.oversubscription()));
    }

    private static int out(int rank, boolean inside) {
        return rank * KINDS + (inside ? 0 : 2);
    }

    private int in(int rank, boolean inside) {
        boolean duplex =
                inside ? topology.inside().duplex() : topology.between().duplex();
        return out(rank, inside) + (duplex ? 1 : 0);
    }

    private int uplink(int rank) {
        return call.ranks() * KINDS + rank / call.ranksPerServer();
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
        requireEnd();
        return result();
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
            if (kind == TaskKind.POST) {
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

    private void post(int notify, int stream) {
        setAt[notify] = nows[stream];
        setBy[notify] = lasts[stream];
        if (waiting[notify] != NOBODY) {
            ready.add(nows[stream], waiting[notify]);
            waiting[notify] = NOBODY;
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

    /** The ports that a transfer needs; the uplink of its server only between servers. */
    private int[] needed(RankSchedule rank, int task) {
        boolean reads = rank.kind(task).readsThere();
        int from = reads ? rank.peer(task) : rank.rank();
        int to = reads ? rank.rank() : rank.peer(task);
        boolean inside = call.sameServer(from, to);
        return inside
                ? new int[] {out(from, true), in(to, true)}
                : new int[] {out(from, false), in(to, false), uplink(from)};
    }

    private boolean transfer(RankSchedule rank, int task, int stream) {
        int[] needed = needed(rank, task);
        if (areFree(needed)) {
            begin(rank, task, stream, needed, lasts[stream]);
            return true;
        }
        for (int port : needed) {
            ports.await(port, stream);
        }
        return false;
    }

    private boolean areFree(int[] needed) {
        for (int port : needed) {
            if (!ports.isFree(port)) {
                return false;
            }
        }
        return true;
    }

    private void begin(RankSchedule rank, int task, int stream, int[] needed, int before) {
        TaskKind kind = rank.kind(task);
        long bytes = rank.bytes(task);
        boolean inside = needed.length == 2;
        double latency = (inside ? topology.inside() : topology.between()).latency();
        double seconds = bytes / (inside ? topology.inside().bandwidth() : betweenBandwidth);
        double begin = nows[stream];
        double end = begin + latency + seconds + (kind.reduces() ? bytes * topology.reduction() : 0);
        int step = record(rank, task, stream, before, begin, end);
        for (int port : needed) {
            ports.occupy(port, step, seconds);
            ready.add(begin + seconds, -1 - port);
        }
    }

    /** A port is free again: those that wait for it may begin. */
    private void release(int port, double time) {
        ports.release(port);
        for (int stream : ports.waiting(port)) {
            RankSchedule rank = schedule.rank(rankOf[stream]);
            int task = rank.number(stream - firsts[rank.rank()], places[stream] - 1);
            int[] needed = needed(rank, task);
            if (areFree(needed)) {
                for (int each : needed) {
                    ports.stopWaiting(each, stream);
                }
                nows[stream] = time;
                begin(rank, task, stream, needed, ports.holder(port));
                ready.add(nows[stream], stream);
            }
        }
    }

    private int record(RankSchedule rank, int task, int stream, int before, double begin, double end) {
        int step = steps.add(rank.rank(), task, before, begin, end);
        lasts[stream] = step;
        nows[stream] = end;
        return step;
    }

    private void requireEnd() {
        List<String> stuck = new ArrayList<>();
        for (int stream = 0; stream < places.length; stream++) {
            RankSchedule rank = schedule.rank(rankOf[stream]);
            int number = stream - firsts[rankOf[stream]];
            if (places[stream] < rank.size(number)) {
                Task task = rank.task(rank.number(number, places[stream]));
                stuck.add(task.toString());
            }
        }
        if (!stuck.isEmpty()) {
            throw new IllegalArgumentException(stuck.size() + " streams wait for ever:\n  "
                    + String.join("\n  ", stuck.subList(0, Math.min(TOLD, stuck.size())))
                    + (stuck.size() > TOLD ? "\n  ... and " + (stuck.size() - TOLD) + " more" : ""));
        }
    }

    private Simulation result() {
        List<Double> ends = new ArrayList<>();
        int last = NOBODY;
        double seconds = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            int main = firsts[rank];
            ends.add(nows[main]);
            if (nows[main] > seconds) {
                seconds = nows[main];
                last = lasts[main];
            }
        }
        return new Simulation(
                schedule.algorithm(),
                call,
                seconds,
                ends,
                events,
                busy(true, seconds),
                busy(false, seconds),
                Simulation.path(schedule, steps, last));
    }

    private double busy(boolean inside, double seconds) {
        double busy = 0;
        for (int rank = 0; rank < call.ranks(); rank++) {
            busy += ports.busy(out(rank, inside));
        }
        int each = inside ? topology.inside().ports() : topology.between().ports();
        return seconds == 0 ? 0 : busy / (seconds * call.ranks() * each);
    }
}
