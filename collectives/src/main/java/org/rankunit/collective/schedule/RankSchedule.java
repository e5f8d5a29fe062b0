package org.rankunit.collective.schedule;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.BufferKind;

/**
 * The tasks of one rank, packed: a large schedule has millions. Tasks have numbers in the order in which they were queued; the
 * tasks of a stream are in that order too. Immutable once it is built.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class RankSchedule {

    private final int rank;
    private final Resources resources;
    private final TaskBudget budget;
    private final PackedTasks packed;
    private @Nullable String @Nullable [] lines;
    /** The first task of each stream, and the numbers of all where others lie between them; null where none does. */
    private int[] firsts = {};

    private int[] counts = {};
    private int[] @Nullable [] numbers = {};

    /** @param expectedSize for how many tasks to have room at first */
    RankSchedule(int rank, Resources resources, TaskBudget budget, boolean withLines, int expectedSize) {
        this.rank = rank;
        this.resources = resources;
        this.budget = budget;
        this.packed = new PackedTasks(expectedSize);
        this.lines = withLines ? new String[Math.max(expectedSize, 1)] : null;
    }

    void addTransfer(TaskKind kind, int stream, int peer, int link, Region from, Region to, @Nullable String line) {
        budget.take();
        note(line);
        packed.addMove(kind, stream, peer, link, from, to);
    }

    void addSignal(TaskKind kind, int stream, int peer, int code, @Nullable String line) {
        budget.take();
        note(line);
        packed.addSignal(kind, stream, peer, code);
    }

    private void note(@Nullable String line) {
        if (lines != null) {
            if (packed.size() == lines.length) {
                lines = Arrays.copyOf(lines, 2 * lines.length);
            }
            lines[packed.size()] = line;
        }
    }

    /** No task follows. */
    RankSchedule built() {
        int streams = resources.subStreams() + 1;
        firsts = new int[streams];
        counts = new int[streams];
        int[] lasts = new int[streams];
        for (int task = 0; task < size(); task++) {
            int stream = stream(task);
            firsts[stream] = counts[stream]++ == 0 ? task : firsts[stream];
            lasts[stream] = task;
        }
        numbers = new int[streams][];
        for (int stream = 0; stream < streams; stream++) {
            if (counts[stream] > 0 && lasts[stream] - firsts[stream] >= counts[stream]) {
                numbers[stream] = new int[counts[stream]];
            }
        }
        int[] next = new int[streams];
        for (int task = 0; task < size(); task++) {
            int[] ofStream = numbers[stream(task)];
            if (ofStream != null) {
                ofStream[next[stream(task)]++] = task;
            }
        }
        return this;
    }

    /** Whether another schedule has the same resources and tasks, in the same order on each stream. */
    public boolean hasSameTasks(RankSchedule other) {
        return resources.equals(other.resources) && packed.isSame(other.packed);
    }

    public int rank() {
        return rank;
    }

    public Resources resources() {
        return resources;
    }

    /** Number of tasks. */
    public int size() {
        return packed.size();
    }

    /** Number of streams, the main one included. */
    public int streams() {
        return counts.length;
    }

    /** Number of tasks of a stream. */
    public int size(int stream) {
        return counts[stream];
    }

    /** Get the number of the task at a place of a stream. */
    public int number(int stream, int place) {
        int[] ofStream = numbers[stream];
        return ofStream == null ? firsts[stream] + place : ofStream[place];
    }

    public TaskKind kind(int task) {
        return packed.kind(task);
    }

    public int stream(int task) {
        return packed.stream(task);
    }

    /** The other rank of a transfer or a signal of a link; -1 if there is none. */
    public int peer(int task) {
        return packed.peer(task);
    }

    /** The notify of a signal, as {@link NotifyName#code}; the number of the link of a transfer. */
    public int code(int task) {
        return packed.code(task);
    }

    /** The buffer that a task reads. */
    public BufferKind fromBuffer(int task) {
        return packed.fromBuffer(task);
    }

    /** The buffer that a task writes. */
    public BufferKind toBuffer(int task) {
        return packed.toBuffer(task);
    }

    /** The first byte that is read. */
    public long from(int task) {
        return packed.from(task);
    }

    /** The first byte that is written. */
    public long to(int task) {
        return packed.to(task);
    }

    /** How many bytes a task moves; 0 for signals. */
    public long bytes(int task) {
        return packed.bytes(task);
    }

    /** The line of the algorithm that queued a task; null if it is not known. */
    public @Nullable String line(int task) {
        return lines == null ? null : lines[task];
    }

    /** Get the notify that a task posts or waits for; not defined for tasks that move data. */
    public NotifyName notifyName(int task) {
        int peer = peer(task);
        return kind(task) == TaskKind.WAIT || peer < 0
                ? new NotifyName(rank, peer, code(task))
                : new NotifyName(peer, rank, code(task));
    }

    /** Get a task for people. */
    public Task task(int number) {
        TaskKind kind = kind(number);
        int stream = stream(number);
        int[] ofStream = numbers[stream];
        int place = ofStream == null ? number - firsts[stream] : Arrays.binarySearch(ofStream, number);
        String line = line(number);
        int peer = peer(number);
        if (!kind.movesData()) {
            return new Task(rank, stream, place, kind, null, null, notifyName(number), -1, line);
        }
        Region from = new Region(kind.readsThere() ? peer : rank, fromBuffer(number), from(number), bytes(number));
        Region to = new Region(kind.writesThere() ? peer : rank, toBuffer(number), to(number), bytes(number));
        return new Task(rank, stream, place, kind, from, to, null, peer < 0 ? -1 : code(number), line);
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
            return packed.size();
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
