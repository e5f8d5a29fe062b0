package org.rankunit.distributed.pe.run;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.rankunit.distributed.pe.Direction;

/**
 * One processing element during a launch: its queues, its modelled time, and whether it runs, waits or has ended. Fields are guarded by
 * the lock of the launch, but for the time, which only the lane's own thread uses until the lane has ended.
 */
final class Lane {

    /** Where a lane is. Moved by {@link Launch} alone. */
    enum State {
        RUNS,
        WAITS,
        ENDED
    }

    private final int rank;
    private final Map<Direction, Queue> queues = new EnumMap<>(Direction.class);

    State state = State.RUNS;

    /** What a waiting lane waits for. */
    @Nullable BooleanSupplier ready;

    /** The direction in which it waits, and what for, in words. */
    @Nullable Direction direction;

    String awaited = "";

    /** Why the kernel failed. */
    @Nullable Throwable failure;

    double now;
    long messages;
    long bytes;
    long waits;

    Lane(int rank, Map<Direction, QueuePairs.End> others, int slots) {
        this.rank = rank;
        others.forEach((direction, other) -> queues.put(direction, new Queue(other, slots)));
    }

    int rank() {
        return rank;
    }

    Map<Direction, Queue> queues() {
        return queues;
    }

    /** @throws IllegalArgumentException if there is no neighbour in this direction */
    Queue queue(Direction direction) {
        Queue queue = queues.get(direction);
        if (queue == null) {
            throw new IllegalArgumentException("PE " + rank + " has no neighbour to the " + direction + "; it has "
                    + (queues.isEmpty() ? "none at all" : queues.keySet()));
        }
        return queue;
    }

    /** Let time pass. */
    void pass(double nanoseconds) {
        now += nanoseconds;
    }
}
