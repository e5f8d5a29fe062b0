package org.rankunit.engine.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Where it is kept how long tests took.
 *
 * @param file the file, or empty for none
 * @param shared whether the user named it, so that other machines may have the same
 */
public record DurationsPlace(Optional<Path> file, boolean shared) {

    static final DurationsPlace NONE = new DurationsPlace(Optional.empty(), false);

    static DurationsPlace shared(Path file) {
        return new DurationsPlace(Optional.of(file), true);
    }

    /** The file of a project on this machine: outside of the project, so that nobody has to ignore it. */
    static DurationsPlace ofProject(Path project) {
        Path folder = project.normalize();
        String name =
                folder.getFileName() == null ? "root" : folder.getFileName().toString();
        return new DurationsPlace(Optional.of(folder().resolve(name + "-" + hash(folder) + ".json")), false);
    }

    /** The file that processes of this user lock while they change any such file; never beside one that the user named. */
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
