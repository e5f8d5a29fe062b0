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
 * A file whose OS lock represents something with at most one holder: a device, or the pool's mutex.
 *
 * <p>On Linux and macOS these are POSIX record locks, and their rules shape this class:
 *
 * <ul>
 *   <li>The kernel frees them when the process ends, however it ends.
 *   <li>They belong to the process, and forked children do not inherit them: ranks that outlive their parent hold no
 *       lock.
 *   <li>Closing any descriptor of the file frees the process's lock on it; {@link PinnedFile} prevents this.
 *   <li>They do not exclude threads of the same process, so this class tracks the holder as well.
 *   <li>They are on the file, not on its name: if a cleaner of temporary files has removed the name, a lock on the old
 *       file does not exclude processes that open the file by name. So a lock is valid only if the name still leads to
 *       the locked file after locking.
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

    /** @param path in a folder that must exist when the file is locked */
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
     * Take the lock if it is free.
     *
     * @return false if a process, possibly this one, holds it
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

    /** Release the lock; does nothing if it is not held. */
    public synchronized void unlock() {
        FileLock held = lock;
        lock = null;
        if (held != null) {
            release(held);
        }
    }

    /**
     * Whether a process, possibly this one, holds the lock. A free lock is taken for an instant to find out, so only
     * the holder of the pool's mutex may call this. Creates no file.
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

    /** Whether the name still leads to the locked file; if not, the lock is released. */
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

    /** Releases the OS lock; if that fails, closes the channel, which releases it too. */
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
