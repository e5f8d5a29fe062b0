package org.rankunit.engine.lockstep;

import java.time.Duration;
import org.rankunit.engine.config.SessionTime;

/**
 * How long things may take in a run.
 *
 * @param bootstrap the bring-up of a group
 * @param device a kernel
 * @param comm a wait in the communicator
 * @param test a test that has no limit of its own
 * @param session all tests together
 * @param debugging whether some rank waits for a debugger or is started by hand; if so, no limit applies
 */
public record TimeLimits(
        Duration bootstrap, Duration device, Duration comm, Duration test, SessionTime session, boolean debugging) {

    /** Long enough for any stop at a breakpoint, and short enough not to overflow any clock or counter that uses it. */
    private static final Duration NO_HURRY = Duration.ofDays(20);

    /** How long something may take: the given limit, or practically unlimited while debugging. */
    public Duration patience(Duration usual) {
        return debugging ? NO_HURRY : usual;
    }

    /** When something that begins now and may take this long must have ended, as {@link System#nanoTime()}. */
    public long deadline(Duration usual) {
        return session.cap(System.nanoTime() + patience(usual).toNanos());
    }
}
