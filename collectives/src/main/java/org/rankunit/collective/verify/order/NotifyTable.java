package org.rankunit.collective.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.collective.schedule.NotifyName;
import org.rankunit.collective.schedule.RankSchedule;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.schedule.TaskKind;

/** The notifies of all ranks, and what is known of each. */
@API(status = INTERNAL, since = "0.1")
public final class NotifyTable {

    private static final int FREE = -1;
    private static final int CODE_BITS = 24;
    private static final int RANK_BITS = 20;

    private int size;
    private long[] keys = new long[64];
    private int[] table = empty(256);

    /** Who has posted and was not awaited yet; {@link Epoch#NONE} while it is not set. */
    private long[] posts = {};
    /** What the stream that posted it knew. */
    private @Nullable Clock[] clocks = {};
    /** Who waited for it last. */
    private long[] waits = {};
    /** The stream that waits for it, or -1. */
    private int[] waiting = {};

    /** Which notify each task posts or waits for, by rank and number of the task; -1 for others. */
    private final int[][] ofTask;

    public NotifyTable(Schedule schedule) {
        ofTask = new int[schedule.call().ranks()][];
        for (RankSchedule rank : schedule.ranks()) {
            int[] ids = new int[rank.size()];
            for (int task = 0; task < ids.length; task++) {
                TaskKind kind = rank.kind(task);
                ids[task] = kind.movesData() ? -1 : idOf(keyOf(rank, task, kind));
            }
            ofTask[rank.rank()] = ids;
        }
        posts = new long[size];
        clocks = new Clock[size];
        waits = new long[size];
        waiting = new int[size];
        Arrays.fill(waiting, FREE);
    }

    private static long keyOf(RankSchedule rank, int task, TaskKind kind) {
        int peer = rank.peer(task);
        boolean there = kind == TaskKind.POST && peer >= 0;
        int owner = there ? peer : rank.rank();
        int other = there ? rank.rank() : peer;
        return ((((long) owner << RANK_BITS) | (other + 1)) << CODE_BITS) | rank.code(task);
    }

    private int idOf(long key) {
        int at = place(key);
        while (table[at] != FREE) {
            if (keys[table[at]] == key) {
                return table[at];
            }
            at = (at + 1) & (table.length - 1);
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
            table = empty(8 * size);
            for (int id = 0; id < size; id++) {
                insert(id);
            }
        }
        keys[size] = key;
        insert(size);
        return size++;
    }

    private void insert(int id) {
        int at = place(keys[id]);
        while (table[at] != FREE) {
            at = (at + 1) & (table.length - 1);
        }
        table[at] = id;
    }

    private int place(long key) {
        long mixed = key * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & (table.length - 1);
    }

    private static int[] empty(int length) {
        int[] table = new int[length];
        Arrays.fill(table, FREE);
        return table;
    }

    public int size() {
        return size;
    }

    public int of(int rank, int task) {
        return ofTask[rank][task];
    }

    public NotifyName name(int id) {
        long key = keys[id];
        int code = (int) (key & ((1 << CODE_BITS) - 1));
        int peer = (int) ((key >>> CODE_BITS) & ((1 << RANK_BITS) - 1)) - 1;
        return new NotifyName((int) (key >>> (CODE_BITS + RANK_BITS)), peer, code);
    }

    public boolean isSet(int id) {
        return posts[id] != Epoch.NONE;
    }

    public long postOf(int id) {
        return posts[id];
    }

    public void set(int id, long post, Clock clock) {
        posts[id] = post;
        clocks[id] = clock;
    }

    /** Reset it, and get what the stream that posted it knew. */
    public Clock taken(int id, long wait) {
        Clock clock = clocks[id];
        if (clock == null) {
            throw new IllegalStateException(name(id) + " is not set");
        }
        posts[id] = Epoch.NONE;
        clocks[id] = null;
        waits[id] = wait;
        return clock;
    }

    public long lastWait(int id) {
        return waits[id];
    }

    public int waiting(int id) {
        return waiting[id];
    }

    public void setWaiting(int id, int stream) {
        waiting[id] = stream;
    }
}
