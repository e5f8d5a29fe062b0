package org.rankunit.distributed.p2p;

import java.nio.ByteBuffer;
import java.util.List;
import org.rankunit.DType;

/**
 * What a receiver answers to a piece of a message, or to the end of messages.
 *
 * @param type of the message that it wants, where that matters
 * @param count elements of the message that it wants, where that matters
 */
record Receipt(Answer answer, DType type, long count) {

    static final int BYTES = Envelope.BYTES;

    enum Answer {
        TAKEN,
        /** It wants a message of another type or size. */
        MISMATCH,
        /** It closes the group, and takes no message any more. */
        CLOSED,
        /** To the end: it wanted another message. */
        WANTED
    }

    private static final List<Answer> ANSWERS = List.of(Answer.values());

    static Receipt of(Answer answer) {
        return new Receipt(answer, DType.UINT8, 0);
    }

    static Receipt of(Answer answer, MessageBuffer wanted) {
        return new Receipt(answer, wanted.type(), wanted.count());
    }

    void writeTo(ByteBuffer buffer) {
        buffer.putInt(0, ANSWERS.indexOf(answer));
        buffer.putInt(4, Envelope.code(type));
        buffer.putLong(8, count);
    }

    static Receipt readFrom(ByteBuffer buffer) {
        return new Receipt(ANSWERS.get(buffer.getInt(0)), Envelope.DTYPES.get(buffer.getInt(4)), buffer.getLong(8));
    }

    String text() {
        return count + " " + type;
    }
}
