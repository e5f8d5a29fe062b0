package org.rankunit.engine.config.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.lock.ProcessUser;

/**
 * The user's folder for files that are useful to later runs and safe to delete: below {@code XDG_CACHE_HOME}, else
 * below {@code ~/.cache}. If the user has no home or cannot write to it, as is common in containers, the folder is
 * below {@code java.io.tmpdir}. It never depends on the working directory.
 */
public final class CacheFolder {

    private static final String INSTEAD = "set XDG_CACHE_HOME to a folder of your own";

    private CacheFolder() {}

    /** Returns the folder for files of one kind; it need not exist. */
    public static Path of(String kind) {
        return of(kind, System.getenv(), System::getProperty);
    }

    /**
     * Creates the folder of a cache file if it does not exist, with those above it, and refuses it unless only this user
     * can use it.
     *
     * @throws IOException as {@link PrivateFolder#prepare} does
     */
    public static void prepareFor(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Path around = folder == null ? null : folder.getParent();
        if (folder == null || around == null) {
            throw new IOException(file + " has no folder of its own; " + INSTEAD);
        }
        PrivateFolder.create(around);
        PrivateFolder.prepare(folder, INSTEAD);
    }

    static Path of(String kind, Map<String, String> environment, Function<String, @Nullable String> properties) {
        Path configured = Path.of(environment.getOrDefault("XDG_CACHE_HOME", ""));
        if (configured.isAbsolute()) {
            return configured.resolve("rankunit").resolve(kind);
        }
        for (String home : new String[] {properties.apply("user.home"), environment.get("HOME")}) {
            if (home != null && isUsable(Path.of(home))) {
                return Path.of(home, ".cache", "rankunit", kind);
            }
        }
        String temporary = properties.apply("java.io.tmpdir");
        return Path.of(temporary == null ? "/tmp" : temporary)
                .toAbsolutePath()
                .resolve("rankunit-cache-" + ProcessUser.nameInFiles())
                .resolve(kind);
    }

    /** Whether a cache exists or can be created. If Java does not know the home folder, it is "?". */
    private static boolean isUsable(Path home) {
        Path present = home.resolve(".cache");
        while (present != null && !Files.exists(present)) {
            present = present.getParent();
        }
        return home.isAbsolute() && present != null && Files.isDirectory(present) && Files.isWritable(present);
    }
}
