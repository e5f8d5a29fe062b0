package org.rankunit.engine.timeline;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes logs of events for tests, with the numbers of {@code format.h}. */
public final class LogWriter {

    public static final int TEST_BEGIN = 1;
    public static final int TEST_END = 2;

    private final List<long[]> events = new ArrayList<>();
    private int texts;
    private long dropped;

    /** Append an event. */
    public LogWriter event(int kind, int actor, long begin, long end, long... words) {
        long[] event = new long[8];
        event[0] = begin;
        event[1] = end;
        event[2] = halves(kind, actor);
        System.arraycopy(words, 0, event, 3, words.length);
        events.add(event);
        return this;
    }

    /** The same by its kind. */
    public LogWriter event(EventKind kind, int actor, long begin, long end, long... words) {
        return event(kind.number(), actor, begin, end, words);
    }

    /** Append a text; returns its number. */
    public int text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        texts++;
        for (int offset = 0; offset < bytes.length; offset += EventLogFile.TEXT_CHUNK_BYTES) {
            byte[] chunk = Arrays.copyOfRange(bytes, offset, offset + EventLogFile.TEXT_CHUNK_BYTES);
            ByteBuffer words = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN);
            event(
                    1,
                    bytes.length,
                    0,
                    0,
                    halves(texts, offset),
                    words.getLong(),
                    words.getLong(),
                    words.getLong(),
                    words.getLong());
        }
        return texts;
    }

    public LogWriter drop(long count) {
        dropped += count;
        return this;
    }

    public static long halves(long low, long high) {
        return (low & 0xffff_ffffL) | high << 32;
    }

    /** Write the file, with room for some more events. */
    public Path write(Path file) throws IOException {
        int capacity = events.size() + 3;
        ByteBuffer bytes = ByteBuffer.allocate(EventLogFile.HEADER_BYTES + capacity * EventLogFile.EVENT_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        bytes.putLong(EventLogFile.MAGIC)
                .putInt(EventLogFile.VERSION)
                .putInt(EventLogFile.HEADER_BYTES)
                .putInt(EventLogFile.EVENT_BYTES)
                .putInt(4711)
                .putLong(capacity)
                .putLong(0)
                .putLong(events.size() + dropped)
                .putLong(dropped);
        bytes.position(EventLogFile.HEADER_BYTES);
        events.forEach(event -> Arrays.stream(event).forEach(bytes::putLong));
        return Files.write(file, bytes.array());
    }
}
