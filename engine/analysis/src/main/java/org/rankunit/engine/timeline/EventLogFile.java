package org.rankunit.engine.timeline;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent.Moment;

/**
 * What one rank has recorded until the file was opened, or last {@linkplain #refresh looked at}. The rank may be running,
 * hang, or have crashed; events that it was about to write are left out. Not thread-safe.
 */
public final class EventLogFile {

    static final long MAGIC = 0x474f_4c54_4e56_4552L;
    static final int VERSION = 2;
    static final int HEADER_BYTES = 4096;
    static final int EVENT_BYTES = 64;
    static final int TEXT_CHUNK_BYTES = 32;
    private static final int TEXT = 1;
    private static final int WORDS = 5;

    /** Offsets in the header. */
    private static final int AT_VERSION = 8;

    private static final int AT_CAPACITY = 24;
    private static final int AT_APPENDED = 40;
    private static final int AT_DROPPED = 48;

    /** Offsets in an event. */
    private static final int AT_END = 8;

    private static final int AT_KIND = 16;
    private static final int AT_ACTOR = 20;
    private static final int AT_WORDS = 24;

    private static final VarHandle KINDS = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final ByteBuffer bytes;
    private final long room;
    private long count;
    private long dropped;
    private final Map<Integer, byte[]> texts = new HashMap<>();

    /** Texts that were asked for: most are asked for again. */
    private final Map<Integer, String> decoded = new HashMap<>();

    /** What all texts still take at most: each byte of a text is in the log. */
    private long roomForTexts;

    private EventLogFile(ByteBuffer bytes, long room) {
        this.bytes = bytes;
        this.room = room;
        this.roomForTexts = room * TEXT_CHUNK_BYTES;
        refresh();
    }

    /** A log without events. */
    static EventLogFile none() {
        return new EventLogFile(ByteBuffer.allocateDirect(HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN), 0);
    }

    /** Look for what the rank has recorded since. */
    public void refresh() {
        long before = count;
        // Never fewer than before, whatever a rank that writes anywhere has left there.
        count = Math.max(before, Math.min(room, (long) LONGS.getAcquire(bytes, AT_APPENDED)));
        dropped = bytes.getLong(AT_DROPPED);
        for (long index = before; index < count; index++) {
            if (kind(index) == TEXT) {
                addText(position(index));
            }
        }
    }

    /**
     * Open a log.
     *
     * @throws IOException if the file cannot be read, or is no log of this version
     */
    public static EventLogFile open(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size < HEADER_BYTES || size > Integer.MAX_VALUE) {
                throw new IOException(file + " is not a log of events: it has " + size + " bytes");
            }
            ByteBuffer bytes =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, size).order(ByteOrder.LITTLE_ENDIAN);
            long magic = (long) LONGS.getAcquire(bytes, 0);
            int version = bytes.getInt(AT_VERSION);
            if (magic != MAGIC || version != VERSION) {
                throw new IOException(file + " is not a log of events of version " + VERSION);
            }
            long room = Math.max(0, Math.min(bytes.getLong(AT_CAPACITY), (size - HEADER_BYTES) / EVENT_BYTES));
            return new EventLogFile(bytes, room);
        }
    }

    private static int position(long index) {
        return Math.toIntExact(HEADER_BYTES + index * EVENT_BYTES);
    }

    /** A part of a text that cannot be one, as of a rank that has written into its own log, is left out. */
    private void addText(int at) {
        int number = bytes.getInt(at + AT_WORDS);
        int offset = bytes.getInt(at + AT_WORDS + Integer.BYTES);
        int total = bytes.getInt(at + AT_ACTOR);
        byte[] text = texts.get(number);
        if (text == null) {
            if (total < 0 || total > roomForTexts) {
                return;
            }
            roomForTexts -= total;
            text = new byte[total];
            texts.put(number, text);
        }
        if (offset < 0 || offset > text.length) {
            return;
        }
        bytes.get(at + AT_WORDS + Long.BYTES, text, offset, Math.min(TEXT_CHUNK_BYTES, text.length - offset));
        decoded.remove(number);
    }

    /** Returns a text; an empty string for 0, and for one that was dropped. */
    public String text(int number) {
        String known = decoded.get(number);
        byte[] text = texts.get(number);
        if (known != null || text == null) {
            return known == null ? "" : known;
        }
        String fresh = new String(text, StandardCharsets.UTF_8);
        decoded.put(number, fresh);
        return fresh;
    }

    /** How many events there are, and texts between them. */
    long count() {
        return count;
    }

    /** How many events are missing, since the log or its disk was full. */
    public long dropped() {
        return dropped;
    }

    /** The number of the kind of an event, or 0 if it is not there yet. */
    int kind(long index) {
        // acquire: the kind is stored last
        return (int) KINDS.getAcquire(bytes, position(index) + AT_KIND);
    }

    int actor(long index) {
        return bytes.getInt(position(index) + AT_ACTOR);
    }

    long word(long index, int number) {
        return bytes.getLong(position(index) + AT_WORDS + number * Long.BYTES);
    }

    /** The event with an index; {@code null} if it is not there yet, is a text, or is nothing that this version knows. */
    @Nullable LoggedEvent event(long index) {
        int kind = kind(index);
        if (kind == 0 || kind == TEXT) {
            return null;
        }
        long[] words = new long[WORDS];
        for (int i = 0; i < WORDS; i++) {
            words[i] = word(index, i);
        }
        int at = position(index);
        return EventKind.decode(
                kind, new Moment(index, bytes.getLong(at), bytes.getLong(at + AT_END), actor(index)), words);
    }

    /** Pass on all events from an index on, in the order in which they were appended. */
    public void forEach(long from, Consumer<LoggedEvent> receiver) {
        for (long index = from; index < count; index++) {
            LoggedEvent event = event(index);
            if (event != null) {
                receiver.accept(event);
            }
        }
    }
}
