package org.rankunit.engine.compile.cache;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.rankunit.engine.config.files.ProcessLock;

/**
 * The lock of a key of the cache, among all threads and processes of this user. Keys share 256 files, which are never
 * removed: a lock file that is removed while another process opens it would lock nothing.
 */
public final class KeyLock implements AutoCloseable {

    private static final int NAME_CHARS = 2;

    /** A lock of the system belongs to the process, and closing any channel of the file would free it. */
    private static final Map<Path, ReentrantLock> IN_THIS_JVM = new ConcurrentHashMap<>();

    private final ReentrantLock here;
    private final FileChannel channel;

    private KeyLock(ReentrantLock here, FileChannel channel) {
        this.here = here;
        this.channel = channel;
    }

    /** The file whose lock is that of the key. */
    static Path fileOf(Path folder, String key) {
        return folder.resolve(key.substring(0, NAME_CHARS) + ".lock");
    }

    /** Lock a key. Empty if another process has held its lock all the time. */
    static Optional<KeyLock> tryLock(Path folder, String key, Duration patience)
            throws IOException, InterruptedException {
        Path file = fileOf(folder, key);
        ReentrantLock here = IN_THIS_JVM.computeIfAbsent(file, f -> new ReentrantLock());
        long deadline = System.nanoTime() + patience.toNanos();
        if (!here.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            return Optional.empty();
        }
        FileChannel channel = null;
        boolean locked = false;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            locked = ProcessLock.lock(channel, Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
            if (!locked && Thread.interrupted()) {
                throw new InterruptedException("interrupted while waiting for " + file);
            }
            return locked ? Optional.of(new KeyLock(here, channel)) : Optional.empty();
        } finally {
            if (!locked) {
                if (channel != null) {
                    channel.close();
                }
                here.unlock();
            }
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } finally {
            here.unlock();
        }
    }
}
