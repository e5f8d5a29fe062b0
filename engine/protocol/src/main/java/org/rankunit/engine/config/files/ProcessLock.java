package org.rankunit.engine.config.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for the lock of a file that several processes write in turn. Stateless. */
public final class ProcessLock {

    private static final long PAUSE = Duration.ofMillis(5).toNanos();

    private ProcessLock() {}

    /**
     * Lock the file until the channel is closed.
     *
     * @return false if it was still locked when the time ran out, or if the thread was interrupted
     */
    public static boolean lock(FileChannel channel, Duration patience) throws IOException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (!tryLock(channel)) {
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(PAUSE);
        }
        return true;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // Another channel of this JVM holds it, possibly one opened by another copy of this class.
            return false;
        }
    }
}
