package org.rankunit.coll.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * A vector clock: how far each stream had come when it was last known.
 *
 * <p>Where each post is awaited once before the next one, what happens before what does not depend on the order in which streams
 * run, so one run stands for all.
 *
 * <p>The times are in blocks, which clocks share until one of them changes. Most of what two streams know, they have learned from the same
 * third one, and a schedule can have thousands of streams. A block knows the task that changed it: whoever has seen that task has
 * learned what was known there, and need not look at the times.
 */
@API(status = INTERNAL, since = "0.1")
public final class Clock implements Knowledge {

    private static final int BITS = 5;
    private static final int LENGTH = 1 << BITS;

    /** An epoch that nobody has seen. */
    private static final long UNSEEN = Epoch.of(0, Integer.MAX_VALUE);

    private static final Block NOTHING = new Block(new int[LENGTH], Epoch.NONE);

    private final Block[] blocks;
    /** Which blocks other clocks may have too, so that they must not be changed. */
    private final boolean[] shared;
    /** The last task of the stream whose clock this is; {@link #UNSEEN} if it is that of no stream. */
    private long last = UNSEEN;
    /** The largest number of transfers that come one after the other up to here. */
    private int steps;

    /** Times of some streams. */
    private static final class Block {

        private final int[] times;
        /** The task that changed it last: who has seen this task knows of all of these times. */
        private long changed;

        Block(int[] times, long changed) {
            this.times = times;
            this.changed = changed;
        }
    }

    public Clock(int streams) {
        this.blocks = new Block[(streams + LENGTH - 1) >> BITS];
        this.shared = new boolean[blocks.length];
        Arrays.fill(blocks, NOTHING);
        Arrays.fill(shared, true);
    }

    /** Become a copy of another one, which is that of no stream. */
    public void set(Clock other) {
        System.arraycopy(other.blocks, 0, blocks, 0, blocks.length);
        Arrays.fill(shared, true);
        Arrays.fill(other.shared, true);
        last = UNSEEN;
        steps = other.steps;
    }

    /** Learn what another one knows. */
    public void join(Clock other) {
        int[] found = new int[blocks.length];
        int size = 0;
        for (int block = 0; block < blocks.length; block++) {
            Block theirs = other.blocks[block];
            if (blocks[block] != theirs && !hasSeen(theirs.changed)) {
                found[size++] = block;
            }
        }
        // Not before all are found: what is learned from one block says nothing about what was known of another one.
        for (int i = 0; i < size; i++) {
            join(found[i], other);
        }
        steps = Math.max(steps, other.steps);
    }

    private void join(int block, Clock other) {
        Block theirs = other.blocks[block];
        if (other.hasSeen(blocks[block].changed)) {
            blocks[block] = theirs;
            shared[block] = true;
            other.shared[block] = true;
            return;
        }
        int[] mine = changed(block);
        for (int i = 0; i < LENGTH; i++) {
            // The larger one of two times. Java 17 does not use vector instructions for Math.max.
            int ahead = theirs.times[i] - mine[i];
            mine[i] += ahead & ~(ahead >> 31);
        }
    }

    /** Get the times of a block, to change them. */
    private int[] changed(int block) {
        if (shared[block]) {
            blocks[block] = new Block(blocks[block].times.clone(), last);
            shared[block] = false;
        } else {
            blocks[block].changed = last;
        }
        return blocks[block].times;
    }

    /** How far a stream is known to have come. */
    int time(int stream) {
        return blocks[stream >> BITS].times[stream & (LENGTH - 1)];
    }

    /** Learn that a stream has come so far, and how many transfers came one after the other until then. */
    void learn(int stream, int time, int transfers) {
        if (time > time(stream)) {
            changed(stream >> BITS)[stream & (LENGTH - 1)] = time;
        }
        steps = Math.max(steps, transfers);
    }

    /** The next task begins of the stream whose clock this is. */
    public int tick(int stream) {
        last = Epoch.of(stream, time(stream) + 1);
        return count(stream);
    }

    /** The next write begins on a lane of a wire. Who knows of it need not know of what was written before over the wire. */
    int count(int lane) {
        return ++changed(lane >> BITS)[lane & (LENGTH - 1)];
    }

    public void addStep() {
        steps++;
    }

    public int steps() {
        return steps;
    }

    @Override
    public boolean hasSeen(long epoch) {
        return time(Epoch.stream(epoch)) >= Epoch.time(epoch);
    }
}
