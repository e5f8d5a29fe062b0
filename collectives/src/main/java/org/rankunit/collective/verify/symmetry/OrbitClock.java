package org.rankunit.collective.verify.symmetry;

import org.rankunit.collective.Symmetry;
import org.rankunit.collective.verify.order.Epoch;
import org.rankunit.collective.verify.order.Knowledge;

/**
 * A vector clock of rank 0: how far each lane of each rank had come when it was last known. A lane is a stream, or a wire to another
 * server. What another rank knows at the same place of its tasks is this clock, shifted.
 */
final class OrbitClock {

    private final Shifts shifts;
    private final int lanes;
    private final int[] times;
    private int[] shifted = {};
    private int steps;

    /** @param lanes of each rank */
    OrbitClock(Shifts shifts, int lanes) {
        this.shifts = shifts;
        this.lanes = lanes;
        this.times = new int[Math.multiplyExact(shifts.ranks(), lanes)];
    }

    /** The epoch of a task of a rank. */
    long epoch(int rank, int lane, int time) {
        return Epoch.of(rank * lanes + lane, time);
    }

    void set(OrbitClock other) {
        System.arraycopy(other.times, 0, times, 0, times.length);
        steps = other.steps;
    }

    /** Learn what the rank {@code by} knew when this rank was where the other clock is. */
    void join(OrbitClock other, int by) {
        int[] mine = times;
        int[] theirs = by == 0 ? other.times : shifted(other, by);
        for (int i = 0; i < mine.length; i++) {
            // As in Clock: two arrays from their begin, of which Java 17 makes vector instructions.
            int ahead = theirs[i] - mine[i];
            mine[i] += ahead & ~(ahead >> 31);
        }
        steps = Math.max(steps, other.steps);
    }

    /** What the rank {@code by} knows when rank 0 knows the other clock; until the next call. */
    private int[] shifted(OrbitClock other, int by) {
        if (shifted.length < times.length) {
            shifted = new int[times.length];
        }
        if (shifts.symmetry() == Symmetry.XOR) {
            int run = Integer.lowestOneBit(by);
            for (int rank = 0; rank < shifts.ranks(); rank += run) {
                System.arraycopy(other.times, (rank ^ by) * lanes, shifted, rank * lanes, run * lanes);
            }
        } else {
            int first = by * lanes;
            System.arraycopy(other.times, 0, shifted, first, times.length - first);
            System.arraycopy(other.times, times.length - first, shifted, 0, first);
        }
        return shifted;
    }

    /** The next task of a lane of rank 0 begins; returns its time. */
    int tick(int lane) {
        return ++times[lane];
    }

    /** How far a lane of rank 0 has come. */
    int time(int lane) {
        return times[lane];
    }

    void addStep() {
        steps++;
    }

    /** The largest number of transfers that come one after the other up to here. */
    int steps() {
        return steps;
    }

    /** What the rank {@code by} knows when rank 0 knows this. */
    Knowledge of(int by) {
        return epoch -> {
            int at = Epoch.stream(epoch);
            int rank = at / lanes;
            return times[shifts.back(rank, by) * lanes + at - rank * lanes] >= Epoch.time(epoch);
        };
    }
}
