package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;

/**
 * Completes short waits and file accesses on an interrupted thread, and leaves the thread interrupted.
 *
 * <p>An operation that is interrupted is started again.
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
