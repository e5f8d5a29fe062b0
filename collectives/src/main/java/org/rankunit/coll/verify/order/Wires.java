package org.rankunit.coll.verify.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.coll.schedule.RankSchedule;
import org.rankunit.coll.schedule.Schedule;
import org.rankunit.coll.schedule.Task;
import org.rankunit.coll.schedule.TaskKind;

/**
 * The wires between servers. What is written over a wire happens in its order, later than the task that began it. Which of two streams is the
 * first to write over a wire may be open, so that each has a lane of its own in clocks: whoever knows that a write was begun, and posts over
 * the same wire, posts after that write has arrived.
 */
final class Wires {

    /** The lanes of each wire. */
    private final Map<Long, List<Lane>> lanes = new HashMap<>();

    private final List<Lane> all = new ArrayList<>();

    /** The writes of a stream over a wire. */
    static final class Lane {

        private final int number;
        private final int rank;
        private final int stream;
        private final List<Task> tasks = new ArrayList<>();
        /** When each was begun, in the time of the stream, and its number of steps. */
        private int[] begun = new int[4];

        private int[] steps = new int[4];

        private Lane(int number, int rank, int stream) {
            this.number = number;
            this.rank = rank;
            this.stream = stream;
        }

        /** Where its time is in clocks. */
        int number() {
            return number;
        }

        int rank() {
            return rank;
        }

        Task task(int time) {
            return tasks.get(time - 1);
        }

        int size() {
            return tasks.size();
        }

        /** How many of its writes were begun by then, in the time of its stream. */
        private int begunBy(int time) {
            int found = Arrays.binarySearch(begun, 0, tasks.size(), time);
            return found >= 0 ? found + 1 : -found - 1;
        }

        private void add(Task task, int time, int numberOfSteps) {
            if (tasks.size() == begun.length) {
                begun = Arrays.copyOf(begun, 2 * begun.length);
                steps = Arrays.copyOf(steps, begun.length);
            }
            begun[tasks.size()] = time;
            steps[tasks.size()] = numberOfSteps;
            tasks.add(task);
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
        int streams = firstStreams[firstStreams.length - 1];
        for (RankSchedule rank : schedule.ranks()) {
            for (int task = 0; task < rank.size(); task++) {
                TaskKind kind = rank.kind(task);
                if (kind.writesThere() && !schedule.call().sameServer(rank.rank(), rank.peer(task))) {
                    int stream = firstStreams[rank.rank()] + rank.stream(task);
                    List<Lane> ofWire = lanes.computeIfAbsent(
                            key(rank.rank(), rank.peer(task), rank.code(task)), key -> new ArrayList<>(1));
                    if (ofWire.stream().noneMatch(lane -> lane.stream == stream)) {
                        Lane lane = new Lane(streams + all.size(), rank.rank(), stream);
                        ofWire.add(lane);
                        all.add(lane);
                    }
                }
            }
        }
    }

    private static long key(int rank, int peer, int link) {
        return ((((long) rank << 20) | peer) << 20) | link;
    }

    List<Lane> all() {
        return all;
    }

    private List<Lane> lanesOf(int rank, int peer, int link) {
        return lanes.isEmpty() ? List.of() : lanes.getOrDefault(key(rank, peer, link), List.of());
    }

    /** Whether writes to that rank take a wire. */
    boolean has(int rank, int peer, int link) {
        return !lanesOf(rank, peer, link).isEmpty();
    }

    /** The lane of a stream that writes over a wire. */
    Lane lane(int rank, int peer, int link, int stream) {
        for (Lane lane : lanesOf(rank, peer, link)) {
            if (lane.stream == stream) {
                return lane;
            }
        }
        throw new IllegalArgumentException("stream " + stream + " writes to rank " + peer + " over no wire");
    }

    /** A write begins; returns its epoch. */
    long begin(Lane lane, Task task, int rank, int peer, int link, Clock stream, Clock known) {
        known.join(stream);
        arrived(rank, peer, link, known);
        known.addStep();
        lane.add(task, stream.time(lane.stream), known.steps());
        return Epoch.of(lane.number, known.tick(lane.number));
    }

    /** What is now posted over a wire comes after the writes whose beginnings are known. */
    void arrived(int rank, int peer, int link, Clock known) {
        for (Lane lane : lanesOf(rank, peer, link)) {
            lane.tell(known);
        }
    }
}
