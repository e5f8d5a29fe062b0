package org.rankunit.pool.queue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.lock.Sharing;

/**
 * A word in a file that changes whenever something changes for waiting requests; cheap enough to poll often.
 *
 * <p>Nothing depends on it: waiting processes also check the locks periodically. Thread-safe.
 */
final class ChangeSignal {

    private final Path path;
    private final Sharing sharing;
    private @Nullable RandomAccessFile io;

    ChangeSignal(Path path, Sharing sharing) {
        this.path = path;
        this.sharing = sharing;
    }

    /** The current word; 0 if there is none. */
    synchronized long read() throws IOException {
        RandomAccessFile from = opened();
        try {
            from.seek(0);
            return from.readLong();
        } catch (EOFException nothingWrittenYet) {
            return 0;
        }
    }

    void change() throws IOException {
        try (RandomAccessFile to = open()) {
            to.writeLong(ThreadLocalRandom.current().nextLong());
        }
    }

    /** Close the file; the next read opens it again by its name. */
    synchronized void close() throws IOException {
        RandomAccessFile old = io;
        io = null;
        if (old != null) {
            old.close();
        }
    }

    private RandomAccessFile opened() throws IOException {
        RandomAccessFile open = io;
        if (open == null) {
            open = open();
            io = open;
        }
        return open;
    }

    private RandomAccessFile open() throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            try {
                sharing.createFile(path);
            } catch (FileAlreadyExistsException createdByAnother) {
                // Another process created it; that is just as good.
            }
        }
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileNotFoundException(path + " is not a plain file");
        }
        return new RandomAccessFile(path.toFile(), "rw");
    }
}
