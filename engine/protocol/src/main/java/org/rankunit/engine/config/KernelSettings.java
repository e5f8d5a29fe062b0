package org.rankunit.engine.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.rankunit.engine.config.SimulatorSettings.Checks;

/**
 * How kernels are compiled from source.
 *
 * @param project the folder in which the compiler runs
 * @param folders folders with kernel sources, whether or not they exist
 * @param compiler the compiler, followed by its first arguments
 * @param flags the user's own arguments, which come after ours
 * @param tellAccesses whether kernels tell the simulator what they access through pointers
 * @param limit how long the compiler may take for one kernel
 */
public record KernelSettings(
        Path project,
        List<Path> folders,
        List<String> compiler,
        List<String> flags,
        boolean tellAccesses,
        Duration limit) {

    static KernelSettings read(Function<ConfigKey, String> value, Path project) {
        List<String> compiler = words(value.apply(ConfigKey.CXX));
        if (compiler.isEmpty()) {
            throw ConfigurationException.of(
                    ConfigKey.CXX, "", "give a compiler, such as g++-12, or remove the key for c++.");
        }
        return new KernelSettings(
                project,
                folders(value.apply(ConfigKey.KERNEL_SOURCES), project),
                compiler,
                words(value.apply(ConfigKey.CXXFLAGS)),
                ConfigKey.SIM_CHECK.oneOf(Checks.values(), value.apply(ConfigKey.SIM_CHECK)) == Checks.BYTES,
                Quantity.duration(ConfigKey.COMPILE_TIMEOUT, value.apply(ConfigKey.COMPILE_TIMEOUT)));
    }

    private static List<Path> folders(String value, Path project) {
        List<Path> folders = new ArrayList<>();
        for (String part : value.split(",", -1)) {
            try {
                if (!part.isBlank()) {
                    folders.add(project.resolve(part.strip()).normalize());
                }
            } catch (InvalidPathException e) {
                throw ConfigurationException.of(ConfigKey.KERNEL_SOURCES, value, "not a path: " + e.getReason() + ".");
            }
        }
        return List.copyOf(folders);
    }

    private static List<String> words(String value) {
        return value.isBlank() ? List.of() : List.of(value.strip().split("\\s+"));
    }
}
