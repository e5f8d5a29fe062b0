package org.rankunit.engine.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.rankunit.engine.config.files.CacheFolder;

/**
 * The place of the file that records how long tests took.
 *
 * @param file the file, or empty for none
 * @param shared whether the user named it, so that other machines may use the same file
 */
public record DurationsPlace(Optional<Path> file, boolean shared) {

    static final DurationsPlace NONE = new DurationsPlace(Optional.empty(), false);

    static DurationsPlace shared(Path file) {
        return new DurationsPlace(Optional.of(file), true);
    }

    /** Returns the file of a project on this machine. It is outside of the project, so version control need not ignore it. */
    static DurationsPlace ofProject(Path project) {
        Path folder = project.normalize();
        String name =
                folder.getFileName() == null ? "root" : folder.getFileName().toString();
        return new DurationsPlace(Optional.of(folder().resolve(name + "-" + hash(folder) + ".json")), false);
    }

    /**
     * Returns the file that processes of this user lock while they change a file of durations; it is always in the
     * cache.
     */
    public static Path lock() {
        return folder().resolve("lock");
    }

    private static String hash(Path path) {
        return UUID.nameUUIDFromBytes(path.toString().getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }

    private static Path folder() {
        return CacheFolder.of("durations");
    }
}
