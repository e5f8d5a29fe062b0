package org.rankunit.distributed.p2p;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.rankunit.DType;

/**
 * What a sender says about a piece of a message.
 *
 * @param isEnd whether the sender closes the group, so that no message comes any more
 * @param type of the whole message
 * @param count elements of the whole message
 * @param bytes of this piece
 */
record Envelope(boolean isEnd, DType type, long count, int bytes) {

    static final int BYTES = 64;

    static final List<DType> DTYPES = List.of(DType.values());

    static final Envelope END = new Envelope(true, DType.UINT8, 0, 0);

    /** Both ends are of one version, so that the place of a type among all types says which it is. */
    static int code(DType type) {
        return DTYPES.indexOf(type);
    }

    static ByteBuffer allocate() {
        return ByteBuffer.allocateDirect(BYTES).order(ByteOrder.LITTLE_ENDIAN);
    }

    void writeTo(ByteBuffer buffer) {
        buffer.putInt(0, isEnd ? 1 : 0);
        buffer.putInt(4, code(type));
        buffer.putLong(8, count);
        buffer.putInt(16, bytes);
    }

    static Envelope readFrom(ByteBuffer buffer) {
        return new Envelope(buffer.getInt(0) == 1, DTYPES.get(buffer.getInt(4)), buffer.getLong(8), buffer.getInt(16));
    }

    String text() {
        return count + " " + type;
    }

    boolean matches(MessageBuffer message) {
        return type == message.type() && count == message.count();
    }
}
