package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Runs short waits and file accesses to their end on a thread that is interrupted, and leaves it interrupted.
 *
 * <p>An interrupt breaks off what runs, which is then begun again.
 */
final class Uninterruptibly {

    /** A file access; an interrupt would close the channel it uses. */
    @FunctionalInterface
    interface Access<T> {
        T run() throws IOException;
    }

    /** A short wait. */
    @FunctionalInterface
    interface Wait<T> {
        T run() throws InterruptedException;
    }

    private Uninterruptibly() {}

    static <T> T access(Access<T> access) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return access.run();
                } catch (ClosedByInterruptException brokenOff) {
                    interrupted |= Thread.interrupted();
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    static <T> T await(Wait<T> wait) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return wait.run();
                } catch (InterruptedException brokenOff) {
                    interrupted = true;
                }
            }
        } finally {
            restore(interrupted);
        }
    }

    private static void restore(boolean interrupted) {
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
