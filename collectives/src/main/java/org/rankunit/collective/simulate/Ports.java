package org.rankunit.collective.simulate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ports, uplinks and downlinks that transfers share. Each has a number and a capacity. A transfer begins when all that it needs are
 * free; of several that could begin, the one that came first.
 */
final class Ports {

    private final int[] free;
    /** The last step that occupied it. */
    private final int[] holders;

    private final double[] busy;
    private final long[] bytes;
    private final @Nullable List<Integer>[] waiting;

    /** @param capacities by number */
    @SuppressWarnings({"unchecked", "rawtypes"})
    Ports(int[] capacities) {
        this.free = capacities.clone();
        this.holders = new int[free.length];
        this.busy = new double[free.length];
        this.bytes = new long[free.length];
        this.waiting = new List[free.length];
        Arrays.fill(holders, -1);
    }

    boolean isFree(int port) {
        return free[port] > 0;
    }

    void occupy(int port, int step, long carried, double seconds) {
        free[port]--;
        holders[port] = step;
        busy[port] += seconds;
        bytes[port] += carried;
    }

    void release(int port) {
        free[port]++;
    }

    int holder(int port) {
        return holders[port];
    }

    /** Seconds for which it was occupied. */
    double busy(int port) {
        return busy[port];
    }

    /** Bytes that it has carried. */
    long bytes(int port) {
        return bytes[port];
    }

    void await(int port, int stream) {
        List<Integer> streams = waiting[port];
        if (streams == null) {
            streams = new ArrayList<>();
            waiting[port] = streams;
        }
        streams.add(stream);
    }

    void stopWaiting(int port, Integer stream) {
        List<Integer> streams = waiting[port];
        if (streams != null) {
            streams.remove(stream);
        }
    }

    /** The streams that wait for it, the one that came first at the front. */
    List<Integer> waiting(int port) {
        List<Integer> streams = waiting[port];
        return streams == null ? List.of() : List.copyOf(streams);
    }
}
