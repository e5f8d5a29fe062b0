package org.rankunit.engine.rank.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.FileAccess;

/**
 * The connection over which the parent's files are read and written. It is made at the first request, and made anew after one that
 * failed. Thread-safe: requests of several threads come one after the other.
 */
final class FileLine {

    /** How often to try a request whose fresh connection ends without an answer. */
    private static final int TRIES = 5;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final FileAccess access;
    private final Pause pause;
    private @Nullable FileCalls open;

    FileLine(FileAccess access) {
        this(access, time -> Thread.sleep(time.toMillis()));
    }

    /** The same with other pauses between the tries. */
    FileLine(FileAccess access, Pause pause) {
        this.access = access;
        this.pause = pause;
    }

    /** Waits before another try. */
    interface Pause {

        void last(Duration time) throws InterruptedException;
    }

    /** What is done over the connection; over several of them, if the parent answers nothing on the first ones. */
    interface Work {

        void on(FileCalls calls) throws IOException;
    }

    /**
     * Do something over the connection.
     *
     * @param what for messages: {@code read}
     * @throws UncheckedIOException if it cannot be done; the message says why
     */
    synchronized void call(String what, Path file, Work work) {
        try {
            attempt(work);
        } catch (FileCalls.RefusedException e) {
            throw new UncheckedIOException(cannot(what, file) + e.getMessage(), e);
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(
                    cannot(what, file) + e + ". Files are copied over the network, since this node does not see them"
                            + " (rankunit.slurm.files).",
                    e);
        }
    }

    /** The parent may have closed a fresh connection before it knew whose it is, when strangers took its place. */
    private void attempt(Work work) throws IOException {
        Duration time = FIRST_PAUSE;
        for (int left = TRIES - 1; ; left--) {
            FileCalls calls = connected();
            try {
                work.on(calls);
                return;
            } catch (FileSystemException e) {
                // It is about a file of this node.
                throw e;
            } catch (IOException e) {
                if (calls.isAnswered() || left == 0 || !pauses(time)) {
                    throw e;
                }
                close();
                time = time.multipliedBy(2);
            }
        }
    }

    private boolean pauses(Duration time) {
        try {
            pause.last(time);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static String cannot(String what, Path file) {
        return "cannot " + what + " " + file + " on the launcher's machine: ";
    }

    private FileCalls connected() throws IOException {
        if (open == null) {
            open = new FileCalls(access);
        }
        return open;
    }

    private void close() {
        FileCalls broken = open;
        open = null;
        if (broken != null) {
            broken.close();
        }
    }
}
