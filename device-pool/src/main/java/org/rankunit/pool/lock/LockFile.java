package org.rankunit.pool.lock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * A file whose OS lock stands for something that one holder at a time may have: a device, or the pool's mutex.
 *
 * <p>On Linux and macOS these are POSIX record locks, and their rules shape this class:
 *
 * <ul>
 *   <li>The kernel frees them when the process ends, however it ends.
 *   <li>They belong to the process, so children it forks do not inherit them: ranks that outlive their parent hold
 *       nothing.
 *   <li>Closing any descriptor of the file frees the process's lock on it, hence {@link PinnedFile}.
 *   <li>Within a process they exclude nobody, so the holder is kept track of here as well.
 *   <li>They are on the file, not on its name: where a cleaner of temporary files has removed the name, a lock on
 *       the old file excludes nobody who comes by name. So a lock counts only if name and file still belong together
 *       after it was taken.
 * </ul>
 *
 * <p>Thread-safe. No method waits for a lock.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class LockFile {

    private static final int ATTEMPTS = 8;

    private final Path path;
    private final PinnedFile file;
    private @Nullable FileLock lock;

    /** @param path in a folder that exists by the time the file is locked */
    LockFile(Path path, Sharing sharing) {
        this.path = path;
        this.file = new PinnedFile(path, sharing, LockFile::open);
    }

    private static FileChannel open(Path path) throws IOException {
        return FileChannel.open(path, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
    }

    public Path path() {
        return path;
    }

    /**
     * Take the lock if nobody has it.
     *
     * @return false if some process, this one included, holds it
     * @throws PoolException if the file cannot be used as a lock file
     */
    public synchronized boolean tryLock() {
        if (lock != null) {
            return false;
        }
        lock = attempt();
        return lock != null;
    }

    /** Whether this JVM holds the lock. */
    synchronized boolean isHeldHere() {
        return lock != null;
    }

    /** Give the lock back; nothing happens if it is not held. */
    public synchronized void unlock() {
        FileLock held = lock;
        lock = null;
        if (held != null) {
            release(held);
        }
    }

    /**
     * Whether some process, this one included, holds the lock. Where it is free it is taken for an instant, so only the
     * holder of the pool's mutex may ask. Creates nothing.
     *
     * @throws PoolException if the file cannot be used as a lock file
     */
    public synchronized boolean isHeld() {
        if (lock != null) {
            return true;
        }
        if (!file.exists()) {
            return false;
        }
        FileLock probe = attempt();
        if (probe == null) {
            return true;
        }
        release(probe);
        return false;
    }

    private @Nullable FileLock attempt() {
        try {
            for (int i = 0; i < ATTEMPTS; i++) {
                FileChannel current = file.current();
                FileLock got = current == null ? null : current.tryLock();
                if (current != null && got == null) {
                    return null;
                }
                if (got != null && counts(got)) {
                    return got;
                }
            }
        } catch (OverlappingFileLockException heldByAnotherCopyOfThisClass) {
            return null;
        } catch (IOException e) {
            throw new PoolException(
                    path + " cannot be locked: " + PoolFolder.reason(e) + ".\n" + PoolFolder.WHAT_TO_DO, e);
        }
        throw new PoolException(path + " was removed or replaced " + ATTEMPTS + " times while it was being locked.\n"
                + "Find out what clears the pool's folder, and keep it out of there.");
    }

    /** Whether the name leads to the file that was locked; if not, the lock is given back. */
    private boolean counts(FileLock got) throws IOException {
        boolean counts = false;
        try {
            counts = file.nameStillLeadsHere();
        } finally {
            if (!counts) {
                got.release();
            }
        }
        return counts;
    }

    /** Frees the OS lock; should that fail, closing the channel frees it too. */
    private void release(FileLock held) {
        try {
            held.release();
        } catch (IOException e) {
            try {
                held.acquiredBy().close();
            } catch (IOException alsoFailed) {
                e.addSuppressed(alsoFailed);
                throw new PoolException(path + " cannot be unlocked: " + e.getMessage() + ".\nEnd this process.", e);
            }
        }
    }
}
