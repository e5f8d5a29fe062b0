package org.rankunit.pool;

import java.time.Duration;

/** A moment on the monotonic clock by which a wait must end. Immutable. */
final class Deadline {

    /** Keeps the arithmetic of {@link System#nanoTime} from overflowing; nobody waits for a hundred years. */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final long end;

    private Deadline(long end) {
        this.end = end;
    }

    /** The moment {@code timeout} from now; a timeout of zero or less has passed already. */
    static Deadline after(Duration timeout) {
        Duration bounded = timeout.compareTo(LONGEST) > 0 ? LONGEST : timeout.isNegative() ? Duration.ZERO : timeout;
        return new Deadline(System.nanoTime() + bounded.toNanos());
    }

    /** The moment {@code nanos} from now, or {@code other} if that is earlier. */
    static Deadline after(Deadline other, long nanos) {
        return new Deadline(System.nanoTime() + Math.min(nanos, other.nanosLeft()));
    }

    /** Nanoseconds left, at least 0. */
    long nanosLeft() {
        return Math.max(0, end - System.nanoTime());
    }

    boolean hasPassed() {
        return nanosLeft() == 0;
    }
}
