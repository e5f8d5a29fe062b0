package org.rankunit.coll.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.call.BufferKind;

/**
 * The tasks of one rank, packed: a large schedule has millions. Tasks have numbers in the order in which they were queued; the
 * tasks of a stream are in that order too. Immutable once it is built.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RankSchedule {

    private static final BufferKind[] BUFFERS = BufferKind.values();
    private static final int LEAST_ROOM = 16;

    private final int rank;
    private final Resources resources;
    private final TaskBudget budget;
    private int size;
    private byte[] kinds;
    private short[] streams;
    private byte[] buffers;
    private int[] peers;
    private int[] codes;
    private long[] froms;
    private long[] tos;
    private long[] lengths;
    private @Nullable String @Nullable [] lines;
    private int[][] ofStream = {};

    /** @param expectedSize for how many tasks to have room at first */
    RankSchedule(int rank, Resources resources, TaskBudget budget, boolean withLines, int expectedSize) {
        this.rank = rank;
        this.resources = resources;
        this.budget = budget;
        int room = Math.max(expectedSize, LEAST_ROOM);
        this.kinds = new byte[room];
        this.streams = new short[room];
        this.buffers = new byte[room];
        this.peers = new int[room];
        this.codes = new int[room];
        this.froms = new long[room];
        this.tos = new long[room];
        this.lengths = new long[room];
        this.lines = withLines ? new String[room] : null;
    }

    void addTransfer(TaskKind kind, int stream, int peer, int link, Region from, Region to, @Nullable String line) {
        grow();
        kinds[size] = (byte) kind.number();
        streams[size] = (short) stream;
        buffers[size] =
                (byte) (from.buffer().number() * BUFFERS.length + to.buffer().number());
        peers[size] = peer;
        codes[size] = link;
        froms[size] = from.from();
        tos[size] = to.from();
        lengths[size] = from.bytes();
        end(line);
    }

    void addSignal(TaskKind kind, int stream, int peer, int code, @Nullable String line) {
        grow();
        kinds[size] = (byte) kind.number();
        streams[size] = (short) stream;
        peers[size] = peer;
        codes[size] = code;
        end(line);
    }

    private void end(@Nullable String line) {
        if (lines != null) {
            lines[size] = line;
        }
        size++;
    }

    private void grow() {
        budget.take();
        if (size < kinds.length) {
            return;
        }
        int length = 2 * size;
        kinds = Arrays.copyOf(kinds, length);
        streams = Arrays.copyOf(streams, length);
        buffers = Arrays.copyOf(buffers, length);
        peers = Arrays.copyOf(peers, length);
        codes = Arrays.copyOf(codes, length);
        froms = Arrays.copyOf(froms, length);
        tos = Arrays.copyOf(tos, length);
        lengths = Arrays.copyOf(lengths, length);
        if (lines != null) {
            lines = Arrays.copyOf(lines, length);
        }
    }

    /** No task follows. */
    RankSchedule built() {
        int[] counts = new int[resources.subStreams() + 1];
        for (int task = 0; task < size; task++) {
            counts[streams[task]]++;
        }
        ofStream = new int[counts.length][];
        for (int stream = 0; stream < counts.length; stream++) {
            ofStream[stream] = new int[counts[stream]];
        }
        int[] next = new int[counts.length];
        for (int task = 0; task < size; task++) {
            ofStream[streams[task]][next[streams[task]]++] = task;
        }
        return this;
    }

    /** Whether another schedule has the same resources and tasks, in the same order on each stream. */
    public boolean hasSameTasks(RankSchedule other) {
        return size == other.size
                && resources.equals(other.resources)
                && Arrays.equals(kinds, 0, size, other.kinds, 0, size)
                && Arrays.equals(streams, 0, size, other.streams, 0, size)
                && Arrays.equals(buffers, 0, size, other.buffers, 0, size)
                && Arrays.equals(peers, 0, size, other.peers, 0, size)
                && Arrays.equals(codes, 0, size, other.codes, 0, size)
                && Arrays.equals(froms, 0, size, other.froms, 0, size)
                && Arrays.equals(tos, 0, size, other.tos, 0, size)
                && Arrays.equals(lengths, 0, size, other.lengths, 0, size);
    }

    public int rank() {
        return rank;
    }

    public Resources resources() {
        return resources;
    }

    /** Number of tasks. */
    public int size() {
        return size;
    }

    /** Number of streams, the main one included. */
    public int streams() {
        return ofStream.length;
    }

    /** Number of tasks of a stream. */
    public int size(int stream) {
        return ofStream[stream].length;
    }

    /** Get the number of the task at a place of a stream. */
    public int number(int stream, int place) {
        return ofStream[stream][place];
    }

    public TaskKind kind(int task) {
        return TaskKind.of(kinds[task]);
    }

    public int stream(int task) {
        return streams[task];
    }

    /** The other rank of a transfer or a signal of a link; -1 if there is none. */
    public int peer(int task) {
        return peers[task];
    }

    /** The notify of a signal, as {@link NotifyName#code}; the number of the link of a transfer. */
    public int code(int task) {
        return codes[task];
    }

    /** The buffer that a task reads. */
    public BufferKind fromBuffer(int task) {
        return BUFFERS[buffers[task] / BUFFERS.length];
    }

    /** The buffer that a task writes. */
    public BufferKind toBuffer(int task) {
        return BUFFERS[buffers[task] % BUFFERS.length];
    }

    /** The first byte that is read. */
    public long from(int task) {
        return froms[task];
    }

    /** The first byte that is written. */
    public long to(int task) {
        return tos[task];
    }

    /** How many bytes a task moves; 0 for signals. */
    public long bytes(int task) {
        return lengths[task];
    }

    /** The line of the algorithm that queued a task; null if it is not known. */
    public @Nullable String line(int task) {
        return lines == null ? null : lines[task];
    }

    /** Get the notify that a task posts or waits for; nobody asks this of tasks that move data. */
    public NotifyName notifyName(int task) {
        int peer = peers[task];
        return kind(task) == TaskKind.WAIT || peer < 0
                ? new NotifyName(rank, peer, codes[task])
                : new NotifyName(peer, rank, codes[task]);
    }

    /** Get a task for people. */
    public Task task(int number) {
        TaskKind kind = kind(number);
        int place = Arrays.binarySearch(ofStream[streams[number]], number);
        String line = line(number);
        int peer = peers[number];
        if (!kind.movesData()) {
            return new Task(rank, streams[number], place, kind, null, null, notifyName(number), -1, line);
        }
        Region from = new Region(kind.readsThere() ? peer : rank, fromBuffer(number), froms[number], lengths[number]);
        Region to = new Region(kind.writesThere() ? peer : rank, toBuffer(number), tos[number], lengths[number]);
        return new Task(rank, streams[number], place, kind, from, to, null, peer < 0 ? -1 : codes[number], line);
    }

    /** Get all tasks, in the order in which they were queued. */
    public List<Task> tasks() {
        return new TaskList();
    }

    private final class TaskList extends AbstractList<Task> implements RandomAccess {

        @Override
        public Task get(int number) {
            return task(number);
        }

        @Override
        public int size() {
            return size;
        }
    }

    /** Get a schedule of these tasks in place of this rank's own; what they need is not checked. */
    public RankSchedule withTasks(List<Task> tasks) {
        RankSchedule other = new RankSchedule(
                rank, resources, new TaskBudget(Long.MAX_VALUE, "a schedule"), lines != null, tasks.size());
        for (Task task : tasks) {
            NotifyName signalled = task.signalled();
            Region from = task.from();
            Region to = task.to();
            if (from != null && to != null) {
                int peer = task.kind().writesThere() ? to.rank() : task.kind().readsThere() ? from.rank() : -1;
                other.addTransfer(task.kind(), task.stream(), peer, Math.max(task.link(), 0), from, to, task.line());
            } else if (signalled != null) {
                int peer = task.kind() == TaskKind.WAIT || signalled.isLocal() ? signalled.peer() : signalled.owner();
                other.addSignal(task.kind(), task.stream(), peer, signalled.code(), task.line());
            }
        }
        return other.built();
    }
}
