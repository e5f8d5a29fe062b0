package org.rankunit.engine.compile.cache;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.rankunit.engine.config.files.Digest;
import org.rankunit.engine.config.files.PrivateFolder;

/**
 * A tree of files that a compiler can read: a folder, or the unpacked copy of a folder of a jar.
 *
 * @param digest the digest of all names and contents
 */
public record UnpackedTree(Path folder, String digest) {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Use a folder as it is. */
    public static UnpackedTree ofFolder(Path folder) throws IOException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return new UnpackedTree(folder, digest(files));
    }

    /**
     * Unpack a folder of a jar into the cache, unless it is there already.
     *
     * @param prefix the folder within the jar, with a slash at its end
     */
    public static UnpackedTree ofJar(Path jar, String prefix, KernelCache cache)
            throws IOException, InterruptedException {
        SortedMap<String, byte[]> files = new TreeMap<>();
        try (JarFile open = new JarFile(jar.toFile())) {
            for (Enumeration<JarEntry> all = open.entries(); all.hasMoreElements(); ) {
                JarEntry entry = all.nextElement();
                if (!entry.isDirectory() && entry.getName().startsWith(prefix)) {
                    try (InputStream in = open.getInputStream(entry)) {
                        files.put(entry.getName().substring(prefix.length()), in.readAllBytes());
                    }
                }
            }
        }
        String digest = digest(files);
        KeyLock lock = cache.lock(digest, PATIENCE)
                .orElseThrow(() -> new IOException(
                        "another process has held " + cache.lockFile(digest) + " for " + PATIENCE.toSeconds() + " s"));
        try (lock) {
            Path folder = cache.folder().resolve(digest).resolve("files");
            if (!isWhole(folder, files)) {
                replace(folder, files, cache.scratch(digest));
            }
            Files.setLastModifiedTime(folder, FileTime.from(Instant.now()));
            return new UnpackedTree(folder, digest);
        }
    }

    private static boolean isWhole(Path folder, Map<String, byte[]> files) {
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                if (!Arrays.equals(Files.readAllBytes(folder.resolve(file.getKey())), file.getValue())) {
                    return false;
                }
            }
            return Files.isDirectory(folder);
        } catch (IOException absent) {
            return false;
        }
    }

    private static void replace(Path folder, Map<String, byte[]> files, Path fresh) throws IOException {
        try {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path target = fresh.resolve(file.getKey()).normalize();
                if (!target.startsWith(fresh)) {
                    throw new IOException("the entry " + file.getKey() + " of a jar leaves its folder");
                }
                PrivateFolder.create(Objects.requireNonNull(target.getParent()));
                Files.write(target, file.getValue());
            }
            KernelCache.remove(folder);
            Files.move(fresh, folder, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            KernelCache.remove(fresh);
        }
    }

    private static String digest(SortedMap<String, byte[]> files) {
        Digest digest = new Digest();
        files.forEach((name, content) -> digest.add(name).add(content));
        return digest.hex();
    }
}
