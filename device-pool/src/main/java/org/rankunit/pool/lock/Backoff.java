package org.rankunit.pool.lock;

import java.util.concurrent.ThreadLocalRandom;
import org.apiguardian.api.API;

/**
 * Pauses that double from a first to a longest one. Each is drawn at random from the upper half of its range, so that
 * waiting processes do not stay in step. For one thread.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Backoff {

    private final long longest;
    private long next;

    public Backoff(long firstNanos, long longestNanos) {
        this.next = firstNanos * 2;
        this.longest = longestNanos;
    }

    /** Length of the next pause in nanoseconds, between the first and the longest. */
    public long nextNanos() {
        long span = next;
        next = Math.min(longest, next * 2);
        return ThreadLocalRandom.current().nextLong(span / 2, span + 1);
    }
}
