package org.rankunit.engine.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the checks look at: this machine, or a test's.
 *
 * @param root folder in which {@code proc}, {@code dev} and {@code usr} lie
 * @param environment variables
 * @param properties values of system properties, {@code null} for one that is not set
 * @param processors number of cores that this process may use
 */
public record Host(
        Path root, Map<String, String> environment, Function<String, @Nullable String> properties, int processors) {

    /** The machine and process this runs on. */
    public static Host here() {
        return new Host(
                Path.of("/"),
                System.getenv(),
                System::getProperty,
                Runtime.getRuntime().availableProcessors());
    }

    /** A file by its absolute path, below the root. */
    Path at(String path) {
        return root.resolve(path.substring(1));
    }

    String property(String name) {
        String value = properties.apply(name);
        return value == null ? "" : value;
    }

    /** The lines of a file below the root; none where it cannot be read. */
    List<String> lines(String path) {
        try {
            return Files.readAllLines(at(path));
        } catch (IOException notThere) {
            return List.of();
        }
    }
}
