package org.rankunit.collective.verify.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.Task;
import org.rankunit.collective.schedule.TaskKind;

/**
 * The wires between servers. What is written over a wire happens in its order, later than the task that began it. Which of two streams is the
 * first to write over a wire may be open, so that each has a lane of its own in clocks: a task that knows that a write was begun, and posts over
 * the same wire, posts after that write has arrived.
 */
final class Wires {

    private static final int NONE = -1;

    /** The wire of each write, and of each post over a link, by rank and number of the task; null for ranks without wires. */
    private final int[] @Nullable [] ofTask;

    /** The lanes of each wire. */
    private final List<List<Lane>> lanes = new ArrayList<>();

    private final List<Lane> all = new ArrayList<>();

    /** The writes of a stream over a wire. */
    static final class Lane {

        private final int number;
        private final RankSchedule rank;
        private final int stream;
        private int size;
        private int[] tasks = new int[4];
        /** When each was begun, in the time of the stream, and its number of steps. */
        private int[] begun = new int[4];

        private int[] steps = new int[4];

        private Lane(int number, RankSchedule rank, int stream) {
            this.number = number;
            this.rank = rank;
            this.stream = stream;
        }

        /** Where its time is in clocks. */
        int number() {
            return number;
        }

        int rank() {
            return rank.rank();
        }

        Task task(int time) {
            return rank.task(tasks[time - 1]);
        }

        int size() {
            return size;
        }

        /** How many of its writes were begun by then, in the time of its stream. */
        private int begunBy(int time) {
            int found = Arrays.binarySearch(begun, 0, size, time);
            return found >= 0 ? found + 1 : -found - 1;
        }

        private void add(int task, int time, int numberOfSteps) {
            if (size == begun.length) {
                tasks = Arrays.copyOf(tasks, 2 * size);
                begun = Arrays.copyOf(begun, 2 * size);
                steps = Arrays.copyOf(steps, 2 * size);
            }
            tasks[size] = task;
            begun[size] = time;
            steps[size] = numberOfSteps;
            size++;
        }

        /** A clock learns of the writes whose beginnings it knows. */
        private void tell(Clock clock) {
            int known = begunBy(clock.time(stream));
            if (known > 0) {
                clock.learn(number, known, steps[known - 1]);
            }
        }
    }

    Wires(Schedule schedule, int[] firstStreams) {
        this.ofTask = new int[schedule.ranks().size()][];
        int streams = firstStreams[firstStreams.length - 1];
        if (schedule.call().servers().count() > 1) {
            for (RankSchedule rank : schedule.ranks()) {
                Map<Long, Integer> wires = wiresOf(rank, schedule.call(), streams, firstStreams[rank.rank()]);
                if (!wires.isEmpty()) {
                    ofTask[rank.rank()] = wiresOfTasks(rank, wires);
                }
            }
        }
    }

    /** Make the wires over which a rank writes; returns their numbers by what leads over them. */
    private Map<Long, Integer> wiresOf(RankSchedule rank, CollectiveCall call, int streams, int firstStream) {
        Map<Long, Integer> wires = new HashMap<>();
        for (int task = 0; task < rank.size(); task++) {
            if (rank.kind(task).writesThere() && !call.sameServer(rank.rank(), rank.peer(task))) {
                int stream = firstStream + rank.stream(task);
                int wire = wires.computeIfAbsent(key(rank.peer(task), rank.code(task)), missing -> {
                    lanes.add(new ArrayList<>(1));
                    return lanes.size() - 1;
                });
                List<Lane> ofWire = lanes.get(wire);
                if (ofWire.stream().noneMatch(lane -> lane.stream == stream)) {
                    Lane lane = new Lane(streams + all.size(), rank, stream);
                    ofWire.add(lane);
                    all.add(lane);
                }
            }
        }
        return wires;
    }

    private static int[] wiresOfTasks(RankSchedule rank, Map<Long, Integer> wires) {
        int[] ofTasks = new int[rank.size()];
        for (int task = 0; task < ofTasks.length; task++) {
            TaskKind kind = rank.kind(task);
            int peer = rank.peer(task);
            boolean posts = kind == TaskKind.POST && peer >= 0;
            int link = posts ? rank.notifyName(task).link() : rank.code(task);
            ofTasks[task] = posts || kind.writesThere() ? wires.getOrDefault(key(peer, link), NONE) : NONE;
        }
        return ofTasks;
    }

    private static long key(int peer, int link) {
        return ((long) peer << Integer.SIZE) | link;
    }

    List<Lane> all() {
        return all;
    }

    /** The wire that a write or a post takes; less than 0 if it takes none. */
    int of(int rank, int task) {
        int[] ofTasks = ofTask[rank];
        return ofTasks == null ? NONE : ofTasks[task];
    }

    /** The lane of a stream that writes over a wire. */
    Lane lane(int wire, int stream) {
        for (Lane lane : lanes.get(wire)) {
            if (lane.stream == stream) {
                return lane;
            }
        }
        throw new IllegalArgumentException("stream " + stream + " does not write over wire " + wire);
    }

    /** A write begins; returns its epoch. */
    long begin(int wire, Lane lane, int task, Clock stream, Clock known) {
        known.join(stream);
        arrived(wire, known);
        known.addStep();
        lane.add(task, stream.time(lane.stream), known.steps());
        return Epoch.of(lane.number, known.tick(lane.number));
    }

    /** What is now posted over a wire comes after the writes whose beginnings are known. */
    void arrived(int wire, Clock known) {
        for (Lane lane : lanes.get(wire)) {
            lane.tell(known);
        }
    }
}
