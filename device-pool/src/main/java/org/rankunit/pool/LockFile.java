package org.rankunit.pool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file whose OS lock stands for something that one holder at a time may have: a device, or the gate.
 *
 * <p>On Linux and macOS these are POSIX record locks, and their rules shape this class:
 *
 * <ul>
 *   <li>The kernel frees them when the process ends, however it ends.
 *   <li>They belong to the process, so children it forks do not inherit them: ranks that outlive their parent hold
 *       nothing.
 *   <li>Closing <em>any</em> descriptor of the file frees the process's lock on it. Hence there is one {@code LockFile}
 *       per file and JVM ({@link SharedFolder} sees to that), it has one channel, and the channel stays open for the
 *       life of the JVM; nothing else in this JVM may open the file, be it only to touch or read it.
 *   <li>Within a process they exclude nobody, so the holder is kept track of here as well.
 *   <li>They are on the file, not on its name: where a cleaner of temporary files has removed the name, a lock on
 *       the old file excludes nobody who comes by name. So a lock counts only if name and file still belong together
 *       after it was taken, and a file is touched now and then, before it is locked, to look used.
 * </ul>
 *
 * <p>Thread-safe. No method waits for a lock.
 */
final class LockFile {

    private static final Duration LOOKS_UNUSED = Duration.ofDays(1);
    private static final int ATTEMPTS = 8;

    private final Path path;
    private @Nullable FileChannel channel;
    /** Identity of the file that {@link #channel} has open. */
    private @Nullable Object channelKey;

    private @Nullable FileLock lock;

    /** @param path in a folder that exists by the time the file is locked */
    LockFile(Path path) {
        this.path = path;
    }

    Path path() {
        return path;
    }

    /**
     * Take the lock if nobody has it.
     *
     * @return false if some process, this one included, holds it
     * @throws PoolException if the file cannot be used as a lock file
     */
    synchronized boolean tryLock() {
        if (lock != null) {
            return false;
        }
        lock = attempt();
        return lock != null;
    }

    /** Give the lock back; nothing happens if it is not held. */
    synchronized void unlock() {
        FileLock held = lock;
        lock = null;
        if (held != null) {
            release(held);
        }
    }

    /**
     * Whether some process, this one included, holds the lock. Where it is free it is taken for an instant, so only the
     * holder of the gate may ask. Creates nothing.
     *
     * @throws PoolException if the file cannot be used as a lock file
     */
    synchronized boolean isHeld() {
        if (lock != null) {
            return true;
        }
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
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
                FileChannel current = currentChannel();
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
            counts = nameStillLeadsToChannel();
        } finally {
            if (!counts) {
                got.release();
            }
        }
        return counts;
    }

    /** The channel of the file the name leads to now; null if that changed meanwhile and the caller should try again. */
    private @Nullable FileChannel currentChannel() throws IOException {
        BasicFileAttributes before = attributes();
        if (before == null) {
            create();
            return null;
        }
        if (channel != null && channel.isOpen() && Objects.equals(before.fileKey(), channelKey)) {
            lookUsed(before);
            return channel;
        }
        refuseUnlessRegular(before);
        if (channel != null) {
            channel.close();
        }
        // The name led to the same file before and after, so that is the file the channel has open.
        channel = FileChannel.open(path, Set.of(StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        channelKey = before.fileKey();
        return nameStillLeadsToChannel() ? channel : null;
    }

    private boolean nameStillLeadsToChannel() throws IOException {
        BasicFileAttributes now = attributes();
        return now != null && Objects.equals(now.fileKey(), channelKey);
    }

    private void create() throws IOException {
        try {
            Files.createFile(path, PoolFolder.OWNER_ONLY_FILE);
        } catch (FileAlreadyExistsException createdByAnotherProcess) {
            // As good as created here.
        }
    }

    private void lookUsed(BasicFileAttributes attributes) throws IOException {
        Instant now = Instant.now();
        if (attributes.lastModifiedTime().toInstant().isBefore(now.minus(LOOKS_UNUSED))) {
            // Opens and closes the file behind the scenes, which is harmless as long as it is not locked here.
            Files.getFileAttributeView(path, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                    .setTimes(FileTime.from(now), FileTime.from(now), null);
        }
    }

    private @Nullable BasicFileAttributes attributes() throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException absent) {
            return null;
        }
    }

    private void refuseUnlessRegular(BasicFileAttributes attributes) {
        if (!attributes.isRegularFile()) {
            throw new PoolException(path + " is "
                    + (attributes.isSymbolicLink() ? "a symbolic link, and the pool follows none" : "not a plain file")
                    + ".\nSee who put it there, and remove it.");
        }
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
