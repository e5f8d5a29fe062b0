package org.rankunit.engine.compile.cache;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rankunit.engine.compile.source.KernelSource;
import org.rankunit.engine.config.files.CacheFolder;
import org.rankunit.engine.config.files.Digest;
import org.rankunit.engine.config.files.PrivateFolder;

/**
 * The compiled libraries of this user.
 *
 * <p>A key stands for a source and all that it is compiled with, except headers. Its folder has the list of headers of the last
 * compilation, and one folder for each content of these headers: with the library, and the library's digest. Such a
 * folder appears as a whole, by being renamed. The caller of a method with a key holds its {@link #lock}.
 */
public final class KernelCache {

    /** How long an entry is kept after its last use. */
    static final Duration KEPT = Duration.ofDays(14);

    private static final String LOCKS = "locks";
    private static final String HEADERS = "headers";
    private static final String DIGEST = ".digest";
    private static final String SCRATCH = "new-";

    /** Entries are named by digests in hexadecimal. */
    private static final String ENTRIES = "????????????????????????????????????????????????????????????????";

    private final Path folder;
    private final Consumer<String> console;

    private KernelCache(Path folder, Consumer<String> console) {
        this.folder = folder;
        this.console = console;
    }

    /**
     * Use the cache in a folder, which is created if it does not exist.
     *
     * @param console prints a line
     * @throws IOException if it cannot be used; the message says why and what to do
     */
    public static KernelCache in(Path folder, Consumer<String> console) throws IOException {
        // A user who could write here could choose the code that ranks load.
        CacheFolder.prepareFor(folder);
        CacheFolder.prepareFor(folder.resolve(LOCKS));
        PrivateFolder.create(folder.resolve(LOCKS));
        return new KernelCache(folder, console);
    }

    public Path folder() {
        return folder;
    }

    /** Lock a key. Empty if another process has held the lock all the time. */
    public Optional<KeyLock> lock(String key, Duration patience) throws IOException, InterruptedException {
        return KeyLock.tryLock(folder.resolve(LOCKS), key, patience);
    }

    /** The file whose lock is that of the key. */
    public Path lockFile(String key) {
        return KeyLock.fileOf(folder.resolve(LOCKS), key);
    }

    /** Find the library of a source that has the present content of its headers. A damaged one is removed, which is printed. */
    public Optional<Path> find(String key, KernelSource source, HeaderList.Places places) throws IOException {
        Optional<String> content =
                HeaderList.read(folder.resolve(key).resolve(HEADERS)).flatMap(headers -> headers.digest(key, places));
        if (content.isEmpty()) {
            return Optional.empty();
        }
        Path entry = folder.resolve(key).resolve(content.get());
        if (!Files.isDirectory(entry)) {
            return Optional.empty();
        }
        Path library = entry.resolve(libraryOf(source));
        if (!isWhole(library, entry.resolve(DIGEST))) {
            console.accept("rankunit: the compiled kernel " + library + " is damaged and is compiled again");
            remove(entry);
            return Optional.empty();
        }
        Files.setLastModifiedTime(entry.resolve(DIGEST), FileTime.from(Instant.now()));
        return Optional.of(library);
    }

    private static boolean isWhole(Path library, Path digest) {
        try {
            return Files.readString(digest).equals(Digest.of(library));
        } catch (IOException absentOrNotText) {
            return false;
        }
    }

    /** Make a folder in which a compiler can write. The caller publishes or removes it. */
    public Path scratch(String key) throws IOException {
        PrivateFolder.create(folder.resolve(key));
        return Files.createTempDirectory(folder.resolve(key), SCRATCH);
    }

    /** The file that a compiler writes in such a folder. */
    public static String libraryOf(KernelSource source) {
        return "lib" + source.name() + ".so";
    }

    /** Turn what a compiler wrote into one of our folders into an entry, and return its library. */
    public Path publish(String key, String content, KernelSource source, HeaderList headers, Path compiled)
            throws IOException {
        Path own = folder.resolve(key);
        Path fresh = Files.createTempDirectory(own, SCRATCH);
        try {
            String library = libraryOf(source);
            Files.move(compiled.resolve(library), fresh.resolve(library));
            Files.writeString(fresh.resolve(DIGEST), Digest.of(fresh.resolve(library)));
            Path list = fresh.resolve(HEADERS);
            headers.write(list);
            Files.move(list, own.resolve(HEADERS), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            Path entry = own.resolve(content);
            remove(entry);
            Files.move(fresh, entry, StandardCopyOption.ATOMIC_MOVE);
            return entry.resolve(library);
        } finally {
            remove(fresh);
        }
    }

    /** Remove entries that were not used for long, and what killed processes left. A key that is in use is left alone. */
    public void prune() throws IOException, InterruptedException {
        Instant oldest = Instant.now().minus(KEPT);
        try (DirectoryStream<Path> keys = Files.newDirectoryStream(folder, ENTRIES)) {
            for (Path key : keys) {
                KeyLock lock = lock(key.getFileName().toString(), Duration.ZERO).orElse(null);
                try (lock) {
                    if (lock != null) {
                        prune(key, oldest);
                    }
                }
            }
        }
    }

    private static void prune(Path key, Instant oldest) throws IOException {
        boolean used = false;
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(key, Files::isDirectory)) {
            for (Path entry : entries) {
                Path dated = Files.exists(entry.resolve(DIGEST)) ? entry.resolve(DIGEST) : entry;
                if (Files.getLastModifiedTime(dated).toInstant().isBefore(oldest)) {
                    remove(entry);
                } else {
                    used = true;
                }
            }
        }
        if (!used) {
            remove(key);
        }
    }

    /** Remove one of our folders with all that is in it; does nothing if it does not exist. */
    public static void remove(Path folder) throws IOException {
        List<Path> inside;
        try (Stream<Path> all = Files.walk(folder)) {
            inside = all.sorted(Comparator.reverseOrder()).toList();
        } catch (NoSuchFileException absent) {
            return;
        }
        for (Path each : inside) {
            Files.deleteIfExists(each);
        }
    }
}
