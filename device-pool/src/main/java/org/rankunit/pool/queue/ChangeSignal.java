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
 * A word in a file that changes whenever something changes for those who wait: cheap to look at, often.
 *
 * <p>Nobody relies on it: those who wait look at the locks now and then anyway. Thread-safe.
 */
final class ChangeSignal {

    private final Path path;
    private final Sharing sharing;
    private @Nullable RandomAccessFile io;

    ChangeSignal(Path path, Sharing sharing) {
        this.path = path;
        this.sharing = sharing;
    }

    /** The word as it is now; 0 where there is none. */
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

    /** Hold nothing open until the word is read again, by its name. */
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
                // As good as created here.
            }
        }
        if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new FileNotFoundException(path + " is not a plain file");
        }
        return new RandomAccessFile(path.toFile(), "rw");
    }
}
