package org.rankunit.engine.slurm.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.rankunit.engine.config.files.Digest;

/**
 * A jar or folder that ranks need, and which is copied under the digest of its content: the same content is copied once.
 *
 * @param source where it is on this machine
 * @param name of the copy; different for all entries
 */
record ClassPathEntry(Path source, String name, String digest, boolean isFolder) {

    /** @param number its place on the class path */
    static ClassPathEntry of(Path source, int number) throws IOException {
        boolean isFolder = Files.isDirectory(source);
        String digest = isFolder ? digestOfFolder(source) : Digest.of(source);
        return new ClassPathEntry(source, number + "-" + source.getFileName(), digest, isFolder);
    }

    private static String digestOfFolder(Path folder) throws IOException {
        Digest digest = new Digest();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.add(folder.relativize(file).toString());
                digest.add(Files.readAllBytes(file));
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        return digest.hex();
    }

    /** What a node reads about it. */
    String line() {
        return digest + (isFolder ? " folder " : " file ") + name;
    }
}
