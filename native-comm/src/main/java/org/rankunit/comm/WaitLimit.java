package org.rankunit.comm;

import java.time.Duration;

/** How long a wait may take: whole milliseconds in [1 ms, 31 days]. */
final class WaitLimit {

    private static final Duration MAX = Duration.ofDays(31);

    private WaitLimit() {}

    static void requireValid(String name, Duration duration) {
        if (duration.isZero() || duration.isNegative() || duration.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(name + " = " + duration + " is not in (0, 31 days]");
        }
    }

    /** Rounds up, so that a limit below one millisecond does not become 0. */
    static long millisecondsOf(Duration duration) {
        return duration.plusNanos(999_999).toMillis();
    }
}
