package org.rankunit.comm.jna.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Detects folders on a file system mounted noexec: the dynamic linker's message about libraries there does not name the
 * cause.
 */
final class NoexecFolder {

    private NoexecFolder() {}

    /** Text to add to an error about a library in a folder; empty if the error has another cause. */
    static String note(Path folder) {
        return isNoexec(folder)
                ? ". " + folder + " is on a file system that is mounted noexec, from which nothing can be loaded."
                        + " Set java.io.tmpdir to a folder elsewhere."
                : "";
    }

    private static boolean isNoexec(Path folder) {
        Path absolute = folder.toAbsolutePath().normalize();
        String options = "";
        int deepest = -1;
        for (String line : mounts()) {
            String[] fields = line.split(" ", -1);
            Path point = Path.of(fields[1].replace("\\040", " "));
            // If several file systems are mounted at one point, the last applies.
            if (absolute.startsWith(point) && point.getNameCount() >= deepest) {
                deepest = point.getNameCount();
                options = fields[3];
            }
        }
        return List.of(options.split(",", -1)).contains("noexec");
    }

    private static List<String> mounts() {
        try {
            return Files.readAllLines(Path.of("/proc/self/mounts"));
        } catch (IOException unknown) {
            return List.of();
        }
    }
}
