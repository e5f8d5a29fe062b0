package org.rankunit.collective.exchange;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.exchange.GoalOperation.Kind;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;

/**
 * Expresses the tasks of a schedule by messages. Streams are run in an order that notifies allow, without time. Each stream has a
 * frontier: the operations after which its next task comes.
 */
final class GoalMapping {

    private static final int NONE = -1;
    private static final int TOLD = 8;
    /** A larger frontier becomes one operation, so that the dependencies of n streams are not n * n. */
    private static final int LARGEST_FRONTIER = 2;

    /** What the wait for a notify that is set comes after. */
    private sealed interface Posted {

        /** All that the post came after, on the same rank. */
        final class Here implements Posted {

            private final int[] frontier;

            Here(int[] frontier) {
                this.frontier = frontier;
            }
        }

        /** The receive of data, which tells as much as the signal. */
        record WithData(int receive) implements Posted {}

        /** A message of its own, with this tag. */
        record ByMessage(int tag) implements Posted {}
    }

    private final Schedule schedule;
    private final LocalCost cost;
    private final List<Operations> programs = new ArrayList<>();
    private final int[] firsts;
    private final int[] rankOf;
    private final int[] places;
    private final int[][] frontiers;
    /** The rank to which the only operation of the frontier has written, and the receive there; NONE if it is no write. */
    private final int[] writtenTo;

    private final int[] receives;
    private final int[] nextTags;

    private final Map<NotifyName, Integer> notifies = new HashMap<>();
    private final List<@Nullable Posted> posted = new ArrayList<>();
    private final List<Integer> waiting = new ArrayList<>();
    private final Deque<Integer> ready = new ArrayDeque<>();

    GoalMapping(Schedule schedule, LocalCost cost) {
        this.schedule = schedule;
        this.cost = cost;
        int ranks = schedule.call().ranks();
        this.firsts = new int[ranks + 1];
        for (int rank = 0; rank < ranks; rank++) {
            programs.add(new Operations());
            firsts[rank + 1] = firsts[rank] + schedule.rank(rank).streams();
        }
        int streams = firsts[ranks];
        this.rankOf = new int[streams];
        for (int rank = 0; rank < ranks; rank++) {
            Arrays.fill(rankOf, firsts[rank], firsts[rank + 1], rank);
        }
        this.places = new int[streams];
        this.frontiers = new int[streams][0];
        this.writtenTo = new int[streams];
        Arrays.fill(writtenTo, NONE);
        this.receives = new int[streams];
        this.nextTags = new int[ranks];
    }

    GoalProgram run() {
        for (int stream = 0; stream < places.length; stream++) {
            ready.add(stream);
        }
        while (!ready.isEmpty()) {
            goOn(ready.remove());
        }
        requireEnd();
        return new GoalProgram(programs.stream().map(Operations::built).toList());
    }

    /** Run a stream until it must wait for a notify. */
    private void goOn(int stream) {
        RankSchedule rank = schedule.rank(rankOf[stream]);
        int number = stream - firsts[rankOf[stream]];
        while (places[stream] < rank.size(number)) {
            int task = rank.number(number, places[stream]);
            TaskKind kind = rank.kind(task);
            if (kind == TaskKind.WAIT && !take(rank, task, stream)) {
                return;
            }
            places[stream]++;
            switch (kind) {
                case COPY, REDUCE -> compute(stream, cost.nanos(rank.bytes(task), true, kind.reduces()));
                case PUT, PUT_REDUCE -> write(rank, task, stream);
                case GET, GET_REDUCE -> read(rank, task, stream);
                case POST -> post(rank, task, stream);
                case WAIT -> {}
            }
        }
    }

    private int numberOf(NotifyName notify) {
        return notifies.computeIfAbsent(notify, name -> {
            posted.add(null);
            waiting.add(NONE);
            return posted.size() - 1;
        });
    }

    private boolean take(RankSchedule rank, int task, int stream) {
        int notify = numberOf(rank.notifyName(task));
        Posted what = posted.get(notify);
        if (what == null) {
            waiting.set(notify, stream);
            return false;
        }
        posted.set(notify, null);
        if (what instanceof Posted.Here here) {
            join(stream, here.frontier);
        } else if (what instanceof Posted.WithData data) {
            join(stream, new int[] {data.receive()});
        } else if (what instanceof Posted.ByMessage message) {
            int peer = rank.peer(task);
            int receive = add(stream, Kind.RECV, GoalFile.SIGNAL_BYTES, peer, message.tag());
            goTo(stream, receive);
        }
        return true;
    }

    private void post(RankSchedule rank, int task, int stream) {
        NotifyName name = rank.notifyName(task);
        int notify = numberOf(name);
        if (posted.get(notify) != null) {
            throw new IllegalArgumentException(
                    rank.task(task) + ": it is already set, so one of the two posts would be lost");
        }
        int peer = name.owner();
        if (name.isLocal()) {
            posted.set(notify, new Posted.Here(frontiers[stream]));
        } else if (writtenTo[stream] == peer) {
            posted.set(notify, new Posted.WithData(receives[stream]));
        } else {
            int tag = nextTags[rank.rank()]++;
            add(stream, Kind.SEND, GoalFile.SIGNAL_BYTES, peer, tag);
            posted.set(notify, new Posted.ByMessage(tag));
        }
        if (waiting.get(notify) != NONE) {
            ready.add(waiting.get(notify));
            waiting.set(notify, NONE);
        }
    }

    private void compute(int stream, long nanos) {
        goTo(stream, add(stream, Kind.CALC, nanos, NONE, 0));
    }

    private void write(RankSchedule rank, int task, int stream) {
        long bytes = rank.bytes(task);
        int peer = rank.peer(task);
        if (rank.kind(task).reduces()) {
            compute(stream, cost.nanos(bytes, false, true));
        }
        int tag = nextTags[rank.rank()]++;
        int send = add(stream, Kind.SEND, bytes, peer, tag);
        int receive = addAside(peer, Kind.RECV, bytes, rank.rank(), tag);
        goTo(stream, send);
        writtenTo[stream] = peer;
        receives[stream] = receive;
    }

    private void read(RankSchedule rank, int task, int stream) {
        long bytes = rank.bytes(task);
        int peer = rank.peer(task);
        int asks = nextTags[rank.rank()]++;
        goTo(stream, add(stream, Kind.SEND, GoalFile.SIGNAL_BYTES, peer, asks));
        int asked = addAside(peer, Kind.RECV, GoalFile.SIGNAL_BYTES, rank.rank(), asks);
        int tag = nextTags[peer]++;
        int send = addAside(peer, Kind.SEND, bytes, rank.rank(), tag);
        programs.get(peer).depend(send, asked, false);
        goTo(stream, add(stream, Kind.RECV, bytes, peer, tag));
        if (rank.kind(task).reduces()) {
            compute(stream, cost.nanos(bytes, false, true));
        }
    }

    /** Add an operation of a stream, after its frontier. */
    private int add(int stream, Kind kind, long amount, int peer, int tag) {
        int rank = rankOf[stream];
        Operations operations = programs.get(rank);
        int cpu = stream - firsts[rank];
        if (frontiers[stream].length > LARGEST_FRONTIER) {
            int all = operations.add(Kind.CALC, 0, NONE, 0, cpu, 0);
            for (int each : frontiers[stream]) {
                operations.depend(all, each, false);
            }
            goTo(stream, all);
        }
        int operation = operations.add(kind, amount, peer, tag, cpu, 0);
        for (int each : frontiers[stream]) {
            operations.depend(operation, each, false);
        }
        return operation;
    }

    /** Add what a rank does not do itself: its memory is read or written. It has a cpu beyond those of the streams. */
    private int addAside(int owner, Kind kind, long amount, int other, int tag) {
        int cpu = firsts[owner + 1] - firsts[owner];
        return programs.get(owner).add(kind, amount, other, tag, cpu, 0);
    }

    private void goTo(int stream, int operation) {
        frontiers[stream] = new int[] {operation};
        writtenTo[stream] = NONE;
    }

    private void join(int stream, int[] others) {
        int[] own = frontiers[stream];
        int[] both = Arrays.copyOf(own, own.length + others.length);
        int size = own.length;
        for (int other : others) {
            if (Arrays.stream(own).noneMatch(each -> each == other)) {
                both[size++] = other;
            }
        }
        if (size > own.length) {
            frontiers[stream] = Arrays.copyOf(both, size);
            writtenTo[stream] = NONE;
        }
    }

    private void requireEnd() {
        List<String> stuck = new ArrayList<>();
        for (int stream = 0; stream < places.length; stream++) {
            RankSchedule rank = schedule.rank(rankOf[stream]);
            int number = stream - firsts[rankOf[stream]];
            if (places[stream] < rank.size(number)) {
                stuck.add(rank.task(rank.number(number, places[stream])).toString());
            }
        }
        if (!stuck.isEmpty()) {
            throw new IllegalArgumentException(CappedMessages.text(stuck, "streams wait forever", TOLD));
        }
        List<String> left = new ArrayList<>();
        notifies.forEach((name, number) -> {
            if (posted.get(number) != null) {
                left.add(name.toString());
            }
        });
        if (!left.isEmpty()) {
            left.sort(null);
            throw new IllegalArgumentException(
                    CappedMessages.text(left, "notifies are posted and never awaited", TOLD));
        }
    }
}
