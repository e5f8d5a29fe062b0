package org.rankunit.cli.doctor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the checks examine: this machine, or one that a test sets up.
 *
 * @param root folder that contains {@code proc}, {@code dev} and {@code usr}
 * @param environment the environment variables
 * @param properties values of system properties, {@code null} for one that is not set
 * @param processors the number of cores that this process may use
 */
public record Host(
        Path root, Map<String, String> environment, Function<String, @Nullable String> properties, int processors) {

    /** Returns the machine and process that this code runs in. */
    public static Host here() {
        return new Host(
                Path.of("/"),
                System.getenv(),
                System::getProperty,
                Runtime.getRuntime().availableProcessors());
    }

    /** Resolves an absolute path below the root. */
    public Path at(String path) {
        return root.resolve(path.substring(1));
    }

    /** Returns a system property; empty if it is not set. */
    public String property(String name) {
        String value = properties.apply(name);
        return value == null ? "" : value;
    }

    /** Returns the lines of a file below the root; none if it cannot be read. */
    public List<String> lines(String path) {
        try {
            return Files.readAllLines(at(path));
        } catch (IOException notThere) {
            return List.of();
        }
    }
}
