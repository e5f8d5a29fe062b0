package org.rankunit.engine.control;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a rank on a simulator records what happens on its device.
 *
 * @param log the file of this rank
 * @param order the file that the ranks of the group share
 * @param capacity number of events that {@code log} has room for
 * @param timeline whether a timeline may be made of it, which also shows the phases of the rank
 * @param copiesMemory whether what the arguments of tasks point to is copied, into a file for each test
 * @param leftOut the step that this rank leaves out of each test, such as {@code edge:3}
 */
public record EventRecording(
        String log,
        String order,
        long capacity,
        boolean timeline,
        boolean copiesMemory,
        @Nullable String leftOut) {

    /** Get the file of a test for copies of memory, which lies beside the log. */
    public static Path memoryFile(Path log, String uniqueId) {
        UUID test = UUID.nameUUIDFromBytes(uniqueId.getBytes(StandardCharsets.UTF_8));
        return log.resolveSibling(log.getFileName() + "-memory-" + test);
    }
}
