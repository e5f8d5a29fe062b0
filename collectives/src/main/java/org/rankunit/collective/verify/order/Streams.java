package org.rankunit.collective.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;

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
    /** The rank's number of each stream. */
    private final int[] numbers;
    /** In which round each stream is, and where in it: 0 at the caller. */
    private final int[] roundOf;

    private final int[] places;

    private final Clock[] clocks;
    private final Wires wires;
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
        this.numbers = new int[streams];
        for (int rank = 0; rank < ranks; rank++) {
            for (int stream = firsts[rank]; stream < firsts[rank + 1]; stream++) {
                rankOf[stream] = rank;
                scheduleOf[stream] = schedule.rank(rank);
                numbers[stream] = stream - firsts[rank];
                lengths[stream] = scheduleOf[stream].size(numbers[stream]) + 1;
            }
        }
        this.wires = new Wires(schedule, firsts);
        this.places = new int[streams];
        this.roundOf = new int[streams];
        this.clocks = new Clock[streams + wires.all().size()];
        for (int stream = 0; stream < clocks.length; stream++) {
            clocks[stream] = newClock();
        }
    }

    public Clock newClock() {
        return new Clock(streams + wires.all().size());
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
        return numbers[stream];
    }

    public Clock clock(int stream) {
        return clocks[stream];
    }

    public boolean isMain(int stream) {
        return numbers[stream] == 0;
    }

    public boolean hasEnded(int stream) {
        return roundOf[stream] == rounds;
    }

    private int tasks(int stream) {
        return lengths[stream] - 1;
    }

    /** Whether the next thing is the caller, before the first task of a round. */
    public boolean isAtCaller(int stream) {
        return places[stream] == 0;
    }

    public boolean isInFirstRound(int stream) {
        return roundOf[stream] == 0 || (roundOf[stream] == 1 && places[stream] == 0);
    }

    /** Number of the next task of a stream, among those of its rank. */
    public int nextTask(int stream) {
        return scheduleOf[stream].number(numbers[stream], places[stream] - 1);
    }

    /** Go on to the next task; returns the epoch of the one that begins. */
    public long begin(int stream) {
        if (++places[stream] == lengths[stream]) {
            places[stream] = 0;
            roundOf[stream]++;
        }
        return Epoch.of(stream, clocks[stream].tick(stream));
    }

    /** Which wire a write or a post of a rank takes, so that a write arrives later; less than 0 if it takes none. */
    public int wire(int rank, int task) {
        return wires.of(rank, task);
    }

    /** What is known when a write over a wire arrives. */
    public Clock clockOfWire(int wire, int stream) {
        return clocks[wires.lane(wire, stream).number()];
    }

    /** A write begins on a wire, after all that its stream has done; returns its epoch. Counts as a step. */
    public long beginOnWire(int wire, int stream, int task) {
        Wires.Lane lane = wires.lane(wire, stream);
        return wires.begin(wire, lane, task, clocks[stream], clocks[lane.number()]);
    }

    /** What is posted over a wire comes after what was written over it before, as far as this clock knows. */
    public void arrived(int wire, Clock known) {
        wires.arrived(wire, known);
    }

    /** The last writes of a rank over wires. */
    public List<Long> lastOnWires(int rank) {
        return wires.all().stream()
                .filter(lane -> lane.rank() == rank && lane.size() > 0)
                .map(lane -> Epoch.of(lane.number(), lane.size()))
                .toList();
    }

    /** What comes on a stream after all rounds. */
    public long afterAll(int stream) {
        return Epoch.of(stream, rounds * lengths[stream] + 1);
    }

    /** Whether both are tasks of the same call, of those that are made one after the other. */
    public boolean areOfOneCall(long one, long other) {
        return round(one) == round(other);
    }

    private int round(long epoch) {
        int stream = Epoch.stream(epoch);
        int tasks = stream >= streams ? Math.max(1, lane(stream).size() / rounds) : tasks(stream) + 1;
        return (Epoch.time(epoch) - 1) / tasks;
    }

    private Wires.Lane lane(int number) {
        return wires.all().get(number - streams);
    }

    /** The task at an epoch; null if it is the caller. */
    public @Nullable Task task(long epoch) {
        int stream = Epoch.stream(epoch);
        if (stream >= streams) {
            return lane(stream).task(Epoch.time(epoch));
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
        int place = places[stream] - 1;
        boolean goesRoundAgain = roundOf[stream] < rounds - 1;
        int end = goesRoundAgain ? place + tasks : tasks;
        List<Task> left = new ArrayList<>();
        for (int next = Math.max(place, 0); next < end; next++) {
            left.add(rank.task(rank.number(number(stream), next % tasks)));
        }
        return left;
    }
}
