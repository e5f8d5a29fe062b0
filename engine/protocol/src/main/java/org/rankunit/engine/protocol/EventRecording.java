package org.rankunit.engine.protocol;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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

    /** Layout of a log: a head, which says how many events follow. */
    public static final int HEADER_BYTES = 4096;

    /** Size of an event. */
    public static final int EVENT_BYTES = 64;

    /** Where the head has the number of events, in little-endian byte order. */
    public static final int AT_APPENDED = 40;

    /** Get for how many events a log of a size has room. */
    public static long capacityOf(long bytes) {
        return (Math.min(bytes, Integer.MAX_VALUE) - HEADER_BYTES) / EVENT_BYTES;
    }

    /** Get how many events a log has. */
    public static long eventsIn(Path log) throws IOException {
        try (FileChannel channel = FileChannel.open(log, StandardOpenOption.READ)) {
            ByteBuffer count = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            while (count.hasRemaining() && channel.read(count, AT_APPENDED + count.position()) >= 0) {
                Thread.onSpinWait();
            }
            // A log that is full counts on.
            long room = Math.max(0, (channel.size() - HEADER_BYTES) / EVENT_BYTES);
            return count.hasRemaining() ? 0 : Math.min(room, count.getLong(0));
        }
    }

    /** Get where an event of a log begins. */
    public static long positionOf(long event) {
        return HEADER_BYTES + event * EVENT_BYTES;
    }

    /** Get the file of a test for copies of memory, which lies beside the log. */
    public static Path memoryFile(Path log, String uniqueId) {
        UUID test = UUID.nameUUIDFromBytes(uniqueId.getBytes(StandardCharsets.UTF_8));
        return log.resolveSibling(log.getFileName() + "-memory-" + test);
    }
}
