package org.rankunit.engine.rank.files;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.FileAccess;

/**
 * The files of the parent, which this rank reads and writes. All paths that a method takes are those of the parent; all that it
 * returns can be used here. Thread-safe.
 */
public sealed interface ParentFiles permits SeenFiles, CopiedFiles {

    /**
     * The files of a rank.
     *
     * @param access how the parent's files are reached; {@code null} if this rank sees them
     */
    static ParentFiles of(@Nullable FileAccess access) {
        return access == null ? new SeenFiles() : new CopiedFiles(access);
    }

    /** Where this rank has a file, or writes it. The folder in which it lies exists. */
    Path local(Path file);

    /**
     * Get a file as it is now.
     *
     * @throws java.io.UncheckedIOException if it cannot be read; a file that does not exist is no error, and does not exist here either
     */
    Path fetch(Path file);

    /** Get all files that lie directly in a folder; like {@link #fetch}. */
    Path fetchFolder(Path folder);

    /**
     * Give others a file that was written here; they see it once this returns.
     *
     * @throws java.io.UncheckedIOException if it cannot be sent
     */
    void publish(Path file);

    /** Give others what was recorded since the last call. */
    void publishRecord(Path log);

    /** Give the parent what this process has printed since the last call. */
    void publishOutput();

    /** Remove a file here and for others, if it exists. */
    void remove(Path file);
}
