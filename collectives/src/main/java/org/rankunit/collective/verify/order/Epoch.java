package org.rankunit.collective.verify.order;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** A task, packed as the number of its stream and its time on that stream, which counts from 1. */
@API(status = INTERNAL, since = "0.1")
public final class Epoch {

    /** No task. */
    public static final long NONE = 0;

    private Epoch() {}

    public static long of(int stream, int time) {
        return ((long) stream << Integer.SIZE) | time;
    }

    public static int stream(long epoch) {
        return (int) (epoch >>> Integer.SIZE);
    }

    public static int time(long epoch) {
        return (int) epoch;
    }
}
