package org.rankunit.engine.rank.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files on the parent's machine, or on a file system that it shares with this one. */
final class SeenFiles implements ParentFiles {

    @Override
    public Path local(Path file) {
        return file;
    }

    @Override
    public Path fetch(Path file) {
        return file;
    }

    @Override
    public Path fetchFolder(Path folder) {
        return folder;
    }

    @Override
    public void publish(Path file) {}

    @Override
    public void publishRecord(Path log) {}

    @Override
    public void publishOutput() {}

    @Override
    public void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
