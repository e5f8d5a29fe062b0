package org.rankunit.collective.schedule;

import java.util.Arrays;
import org.rankunit.collective.Region;
import org.rankunit.collective.call.BufferKind;

/**
 * Tasks in as few bytes as they need, those of one task side by side: who goes through the tasks of many ranks in turn waits for
 * memory more than for anything else.
 */
final class PackedTasks {

    private static final BufferKind[] BUFFERS = BufferKind.values();
    private static final int LEAST_ROOM = 16;
    /** Words of a task: its kind, buffers, stream and peer; its code, and the number of its move. */
    private static final int WORDS = 2;
    /** Words of a move: where it reads, where it writes, and how many bytes. */
    private static final int MOVE = 3;

    private static final int BUFFERS_AT = 3;
    private static final int STREAM_AT = 8;
    private static final int MAX_STREAMS = 1 << (Integer.SIZE - STREAM_AT);
    private static final int NO_MOVE = -1;

    private int size;
    private int moved;
    private long[] words;
    private long[] moves = new long[LEAST_ROOM * MOVE];

    /** @param expectedSize for how many tasks to have room at first */
    PackedTasks(int expectedSize) {
        this.words = new long[Math.max(expectedSize, LEAST_ROOM) * WORDS];
    }

    int size() {
        return size;
    }

    void addMove(TaskKind kind, int stream, int peer, int link, Region from, Region to) {
        int buffers = from.buffer().number() * BUFFERS.length + to.buffer().number();
        add(kind, buffers, stream, peer, link, moved);
        int at = moved * MOVE;
        if (at == moves.length) {
            moves = Arrays.copyOf(moves, 2 * at);
        }
        moves[at] = from.from();
        moves[at + 1] = to.from();
        moves[at + 2] = from.bytes();
        moved++;
    }

    void addSignal(TaskKind kind, int stream, int peer, int code) {
        add(kind, 0, stream, peer, code, NO_MOVE);
    }

    private void add(TaskKind kind, int buffers, int stream, int peer, int code, int move) {
        if (stream >= MAX_STREAMS) {
            throw new IllegalArgumentException("a rank has no stream " + stream);
        }
        int at = size * WORDS;
        if (at == words.length) {
            words = Arrays.copyOf(words, 2 * at);
        }
        words[at] = both(peer, kind.number() | buffers << BUFFERS_AT | stream << STREAM_AT);
        words[at + 1] = both(code, move);
        size++;
    }

    private static long both(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    boolean isSame(PackedTasks other) {
        return size == other.size
                && Arrays.equals(words, 0, size * WORDS, other.words, 0, size * WORDS)
                && Arrays.equals(moves, 0, moved * MOVE, other.moves, 0, moved * MOVE);
    }

    TaskKind kind(int task) {
        return TaskKind.of((int) words[task * WORDS] & ((1 << BUFFERS_AT) - 1));
    }

    int stream(int task) {
        return (int) words[task * WORDS] >>> STREAM_AT;
    }

    int peer(int task) {
        return (int) (words[task * WORDS] >> Integer.SIZE);
    }

    int code(int task) {
        return (int) (words[task * WORDS + 1] >> Integer.SIZE);
    }

    private int buffers(int task) {
        return (int) words[task * WORDS] >>> BUFFERS_AT & ((1 << (STREAM_AT - BUFFERS_AT)) - 1);
    }

    BufferKind fromBuffer(int task) {
        return BUFFERS[buffers(task) / BUFFERS.length];
    }

    BufferKind toBuffer(int task) {
        return BUFFERS[buffers(task) % BUFFERS.length];
    }

    long from(int task) {
        return ofMove(task, 0);
    }

    long to(int task) {
        return ofMove(task, 1);
    }

    long bytes(int task) {
        return ofMove(task, 2);
    }

    private long ofMove(int task, int word) {
        int move = (int) words[task * WORDS + 1];
        return move == NO_MOVE ? 0 : moves[move * MOVE + word];
    }
}
