package org.rankunit.pool.lock;

import java.time.Duration;
import org.apiguardian.api.API;

/** A moment on the monotonic clock by which a wait must end. Immutable. */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class Deadline {

    /** Prevents overflow in arithmetic with {@link System#nanoTime}; about a hundred years. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /** The moment {@code timeout} from now; with a timeout of zero or less, it has already passed. */
    public static Deadline after(Duration timeout) {
        Duration bounded = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout.isNegative() ? Duration.ZERO : timeout;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    /** The moment {@code nanos} from now, or {@code other} if that is earlier. */
    public static Deadline after(Deadline other, long nanos) {
        return new Deadline(System.nanoTime() + Math.min(nanos, other.nanosLeft()));
    }

    /** Nanoseconds left, at least 0. */
    public long nanosLeft() {
        return Math.max(0, end - System.nanoTime());
    }

    public boolean hasPassed() {
        return nanosLeft() == 0;
    }

    /** {@code 250 ms}, {@code 1.5 s}, {@code 12 s}. */
    public static String inWords(Duration time) {
        long millis = Math.max(0, time.toMillis());
        if (millis < 1000) {
            return millis + " ms";
        }
        long tenths = millis / 100;
        return tenths / 10 + (tenths % 10 == 0 || millis >= 10_000 ? "" : "." + tenths % 10) + " s";
    }
}
