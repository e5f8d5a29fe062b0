package org.rankunit.engine.report;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Turns times of one execution into what the report has.
 *
 * @param started its start by the clock of the day
 * @param startedNanos the same moment as {@link System#nanoTime()}
 */
public record RunClock(Instant started, long startedNanos) {

    private static final double NANOS_PER_MILLI = 1e6;

    /** A clock that starts now. */
    public static RunClock start() {
        return new RunClock(Instant.now().truncatedTo(ChronoUnit.MILLIS), System.nanoTime());
    }

    /** Milliseconds from the start until a moment; 0 for one before the start. */
    public double at(long nanos) {
        return millis(Math.max(0, nanos - startedNanos));
    }

    /** A duration in milliseconds, to the microsecond. */
    public static double millis(long nanos) {
        return Math.round(nanos / NANOS_PER_MILLI * 1000) / 1000.0;
    }
}
