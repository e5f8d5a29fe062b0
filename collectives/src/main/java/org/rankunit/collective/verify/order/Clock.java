package org.rankunit.collective.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * A vector clock: how far each stream had come when it was last known.
 *
 * <p>Where each post is awaited once before the next one, what happens before what does not depend on the order in which streams
 * run, so one run stands for all.
 */
@API(status = INTERNAL, since = "0.1")
public final class Clock implements Knowledge {

    private final int[] times;
    /** The largest number of transfers that come one after the other up to here. */
    private int steps;

    public Clock(int streams) {
        this.times = new int[streams];
    }

    public void set(Clock other) {
        System.arraycopy(other.times, 0, times, 0, times.length);
        steps = other.steps;
    }

    /** Learn what another one knows. */
    public void join(Clock other) {
        int[] mine = times;
        int[] theirs = other.times;
        for (int i = 0; i < mine.length; i++) {
            // The larger one of two times. Java 17 does not use vector instructions for Math.max.
            int ahead = theirs[i] - mine[i];
            mine[i] += ahead & ~(ahead >> 31);
        }
        steps = Math.max(steps, other.steps);
    }

    /** How far a stream is known to have come. */
    int time(int stream) {
        return times[stream];
    }

    /** Learn that a stream has come so far, and how many transfers came one after the other until then. */
    void learn(int stream, int time, int transfers) {
        times[stream] = Math.max(times[stream], time);
        steps = Math.max(steps, transfers);
    }

    /** The next task of a stream begins. */
    public int tick(int stream) {
        return ++times[stream];
    }

    public void addStep() {
        steps++;
    }

    public int steps() {
        return steps;
    }

    @Override
    public boolean hasSeen(long epoch) {
        return times[Epoch.stream(epoch)] >= Epoch.time(epoch);
    }
}
