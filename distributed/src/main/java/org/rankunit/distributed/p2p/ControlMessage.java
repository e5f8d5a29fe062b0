package org.rankunit.distributed.p2p;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * What members tell each other in a monitored barrier.
 *
 * @param time how long the sender waits, or has waited
 * @param text for people; what does not fit is left out
 */
record ControlMessage(Kind kind, Duration time, String text) {

    static final int BYTES = ChannelKind.CONTROL.pieceBytes();

    private static final int HEADER_BYTES = 16;

    enum Kind {
        /** From the leader: it has come. */
        HERE,
        /** To the leader: this member has come too. */
        ARRIVED,
        /** To the leader: this member has come, and has waited in vain for the leader. */
        GAVE_UP,
        /** From the leader: all have come. */
        PASSED,
        /** From the leader: not all have come. */
        FAILED
    }

    private static final List<Kind> KINDS = List.of(Kind.values());

    ControlMessage(Kind kind, Duration time) {
        this(kind, time, "");
    }

    ControlMessage with(String other) {
        return new ControlMessage(kind, time, other);
    }

    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    ByteBuffer encode() {
        byte[] bytes = text.getBytes(UTF_8);
        int length = Math.min(bytes.length, BYTES - HEADER_BYTES);
        return allocate()
                .putInt(0, KINDS.indexOf(kind))
                .putInt(4, length)
                .putLong(8, time.toNanos())
                .put(HEADER_BYTES, Arrays.copyOf(bytes, length));
    }

    static ControlMessage decode(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.getInt(4)];
        buffer.get(HEADER_BYTES, bytes);
        return new ControlMessage(
                KINDS.get(buffer.getInt(0)), Duration.ofNanos(buffer.getLong(8)), new String(bytes, UTF_8));
    }
}
