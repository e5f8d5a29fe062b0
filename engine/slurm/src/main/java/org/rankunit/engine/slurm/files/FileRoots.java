package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which files of this machine ranks on other nodes may read and write: those below some folders. Links that lead out of them do not
 * count. Immutable.
 */
public final class FileRoots {

    private final List<Path> readable;
    private final List<Path> writable;

    /**
     * @param readable folders whose files may be read, besides those that may be written
     * @param writable folders whose files may be read and written
     */
    public FileRoots(List<Path> readable, List<Path> writable) {
        this.readable = List.copyOf(readable);
        this.writable = List.copyOf(writable);
    }

    /** @throws IOException if the file is in none of the folders; the message says so */
    void requireReadable(Path file) throws IOException {
        List<Path> all = new ArrayList<>(writable);
        all.addAll(readable);
        require(file, all, "read");
    }

    /** @throws IOException if the file is in none of the folders; the message says so */
    void requireWritable(Path file) throws IOException {
        require(file, writable, "write");
    }

    private static void require(Path file, List<Path> roots, String what) throws IOException {
        Path real = realOf(file);
        for (Path root : roots) {
            if (real.startsWith(realOf(root))) {
                return;
            }
        }
        throw new IOException("a rank on another node may only " + what + " files below " + roots);
    }

    /** The path without links, as far as it exists. */
    private static Path realOf(Path file) throws IOException {
        Path whole = file.toAbsolutePath().normalize();
        Path present = whole;
        while (!Files.exists(present)) {
            if (Files.isSymbolicLink(present)) {
                throw new IOException(present + " is a dangling link");
            }
            present = Objects.requireNonNull(present.getParent(), "the root exists");
        }
        return present.toRealPath().resolve(present.relativize(whole)).normalize();
    }
}
