package org.rankunit.engine.rank.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.files.FileAccess;

/**
 * The connection over which the parent's files are read and written. It is made at the first request, and made anew after one that
 * failed. Thread-safe: requests of several threads come one after the other.
 */
final class FileLine {

    private final FileAccess access;
    private @Nullable FileCalls open;

    FileLine(FileAccess access) {
        this.access = access;
    }

    /** What is done over the connection. */
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
            work.on(connected());
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
