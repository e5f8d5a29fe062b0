package org.rankunit.coll.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.coll.schedule.RankSchedule;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.schedule.Task;
import org.rankunit.coll.schedule.TaskKind;

/**
 * The streams of all ranks, and the wires between servers: what is written over a wire happens in its order, later than the task
 * that began it.
 *
 * <p>A schedule is run several times in a row, as a program calls a collective again and again. In each round, time 1 of a main
 * stream is the caller, who writes the input.
 */
@API(status = INTERNAL, since = "0.1")
public final class Streams {

    private final Schedule schedule;
    private final int rounds;
    /** The first stream of each rank. */
    private final int[] firsts;

    private final int[] rankOf;
    private final RankSchedule[] scheduleOf;
    /** Number of steps of each stream in a round: one for the caller, and one for each task. */
    private final int[] lengths;
    /** Where each stream is, in tasks of all rounds. */
    private final int[] places;

    private final Clock[] clocks;
    private final Map<Long, Integer> wires = new HashMap<>();
    private final List<List<Task>> ofWire = new ArrayList<>();
    private final List<Integer> wireRanks = new ArrayList<>();
    private final int streams;

    public Streams(Schedule schedule, int rounds) {
        this.schedule = schedule;
        this.rounds = rounds;
        int ranks = schedule.call().ranks();
        this.firsts = new int[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            firsts[rank + 1] = firsts[rank] + schedule.rank(rank).streams();
        }
        this.streams = firsts[ranks];
        this.rankOf = new int[streams];
        this.scheduleOf = new RankSchedule[streams];
        this.lengths = new int[streams];
        for (int rank = 0; rank < ranks; rank++) {
            for (int stream = firsts[rank]; stream < firsts[rank + 1]; stream++) {
                rankOf[stream] = rank;
                scheduleOf[stream] = schedule.rank(rank);
                lengths[stream] = scheduleOf[stream].size(stream - firsts[rank]) + 1;
            }
        }
        findWires();
        this.places = new int[streams];
        this.clocks = new Clock[streams + ofWire.size()];
        for (int stream = 0; stream < clocks.length; stream++) {
            clocks[stream] = newClock();
        }
    }

    private void findWires() {
        for (RankSchedule rank : schedule.ranks()) {
            for (int task = 0; task < rank.size(); task++) {
                TaskKind kind = rank.kind(task);
                if (kind.writesThere() && !schedule.call().sameServer(rank.rank(), rank.peer(task))) {
                    wires.computeIfAbsent(wireKey(rank.rank(), rank.peer(task), rank.code(task)), key -> {
                        ofWire.add(new ArrayList<>());
                        wireRanks.add(rank.rank());
                        return streams + ofWire.size() - 1;
                    });
                }
            }
        }
    }

    private static long wireKey(int rank, int peer, int link) {
        return ((((long) rank << 20) | peer) << 20) | link;
    }

    public Clock newClock() {
        return new Clock(streams + ofWire.size());
    }

    public int rounds() {
        return rounds;
    }

    /** Number of streams, without wires. */
    public int size() {
        return streams;
    }

    public int first(int rank) {
        return firsts[rank];
    }

    /** The first stream after those of a rank. */
    public int end(int rank) {
        return firsts[rank + 1];
    }

    public int rank(int stream) {
        return rankOf[stream];
    }

    /** The rank's number of a stream. */
    public int number(int stream) {
        return stream - firsts[rankOf[stream]];
    }

    public Clock clock(int stream) {
        return clocks[stream];
    }

    public boolean isMain(int stream) {
        return number(stream) == 0;
    }

    public boolean hasEnded(int stream) {
        return places[stream] == rounds * lengths[stream];
    }

    private int tasks(int stream) {
        return lengths[stream] - 1;
    }

    /** Whether the next thing is the caller, before the first task of a round. */
    public boolean isAtCaller(int stream) {
        return places[stream] % lengths[stream] == 0;
    }

    public boolean isInFirstRound(int stream) {
        return places[stream] <= lengths[stream];
    }

    /** Number of the next task of a stream, among those of its rank. */
    public int nextTask(int stream) {
        return scheduleOf[stream].number(number(stream), places[stream] % lengths[stream] - 1);
    }

    /** Go on to the next task; returns the epoch of the one that begins. */
    public long begin(int stream) {
        places[stream]++;
        return Epoch.of(stream, clocks[stream].tick(stream));
    }

    /** The wire that a write to another server takes; -1 if there is none. */
    public int wire(int rank, int peer, int link) {
        return wires.isEmpty() ? -1 : wires.getOrDefault(wireKey(rank, peer, link), -1);
    }

    /** A write begins on a wire, after all that its stream has done; returns its epoch. */
    public long beginOnWire(int wire, int stream, Task task) {
        Clock clock = clocks[wire];
        clock.join(clocks[stream]);
        ofWire.get(wire - streams).add(task);
        return Epoch.of(wire, clock.tick(wire));
    }

    /** The last thing that has happened on a wire. */
    public long lastOnWire(int wire) {
        return Epoch.of(wire, ofWire.get(wire - streams).size());
    }

    /** The wires on which a rank writes. */
    public List<Integer> wiresOf(int rank) {
        List<Integer> found = new ArrayList<>();
        for (int wire = 0; wire < ofWire.size(); wire++) {
            if (wireRanks.get(wire) == rank) {
                found.add(streams + wire);
            }
        }
        return found;
    }

    /** Whether both are tasks of the same call, of those that are made one after the other. */
    public boolean areOfOneCall(long one, long other) {
        return round(one) == round(other);
    }

    private int round(long epoch) {
        int stream = Epoch.stream(epoch);
        int tasks = stream >= streams ? Math.max(1, ofWire.get(stream - streams).size() / rounds) : tasks(stream) + 1;
        return (Epoch.time(epoch) - 1) / tasks;
    }

    /** The task at an epoch; null if it is the caller. */
    public @Nullable Task task(long epoch) {
        int stream = Epoch.stream(epoch);
        if (stream >= streams) {
            return ofWire.get(stream - streams).get(Epoch.time(epoch) - 1);
        }
        int place = (Epoch.time(epoch) - 1) % (tasks(stream) + 1) - 1;
        if (place < 0) {
            return null;
        }
        RankSchedule rank = schedule.rank(rankOf[stream]);
        return rank.task(rank.number(number(stream), place));
    }

    /** The tasks that a stream has still to run, the next one first; those of all later rounds once. */
    public List<Task> left(int stream) {
        RankSchedule rank = schedule.rank(rankOf[stream]);
        int tasks = tasks(stream);
        int place = places[stream] % (tasks + 1) - 1;
        boolean goesRoundAgain = places[stream] < (rounds - 1) * (tasks + 1);
        int end = goesRoundAgain ? place + tasks : tasks;
        List<Task> left = new ArrayList<>();
        for (int next = Math.max(place, 0); next < end; next++) {
            left.add(rank.task(rank.number(number(stream), next % tasks)));
        }
        return left;
    }
}
