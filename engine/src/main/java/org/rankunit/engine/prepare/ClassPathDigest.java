package org.rankunit.engine.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.rankunit.engine.config.files.Digest;

/** A digest of everything on a class path. Of files in folders the content counts, of jars and of large files their size and time. */
final class ClassPathDigest {

    private static final long MAX_READ_BYTES = 4 << 20;

    private ClassPathDigest() {}

    static String of(List<Path> entries) throws IOException {
        Digest digest = new Digest();
        for (Path entry : entries) {
            digest.add(entry.toString());
            if (Files.isDirectory(entry)) {
                addFolder(entry, digest);
            } else if (Files.exists(entry)) {
                addStamp(entry, digest);
            }
        }
        return digest.hex();
    }

    private static void addFolder(Path folder, Digest digest) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                digest.add(folder.relativize(file).toString());
                if (Files.size(file) > MAX_READ_BYTES) {
                    addStamp(file, digest);
                } else {
                    digest.add(Files.readAllBytes(file));
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void addStamp(Path file, Digest digest) throws IOException {
        digest.add(Files.size(file) + " bytes of " + Files.getLastModifiedTime(file));
    }
}
