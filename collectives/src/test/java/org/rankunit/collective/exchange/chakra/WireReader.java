package org.rankunit.collective.exchange.chakra;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Walks the wire format of Protocol Buffers, and knows nothing of who wrote it. */
final class WireReader {

    /** A field with its number and its value: a number, or bytes. */
    record Field(int number, int wireType, long value, ByteBuffer bytes) {

        String text() {
            return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
        }

        List<Field> message() {
            return fields(bytes.duplicate());
        }

        List<Long> packed() {
            ByteBuffer rest = bytes.duplicate();
            List<Long> values = new ArrayList<>();
            while (rest.hasRemaining()) {
                values.add(varint(rest));
            }
            return values;
        }
    }

    private WireReader() {}

    /** Messages that follow their lengths. */
    static List<List<Field>> messages(byte[] file) {
        ByteBuffer rest = ByteBuffer.wrap(file);
        List<List<Field>> messages = new ArrayList<>();
        while (rest.hasRemaining()) {
            messages.add(fields(delimited(rest)));
        }
        return messages;
    }

    private static ByteBuffer delimited(ByteBuffer rest) {
        int length = Math.toIntExact(varint(rest));
        ByteBuffer bytes = rest.slice(rest.position(), length);
        rest.position(rest.position() + length);
        return bytes;
    }

    static List<Field> fields(ByteBuffer rest) {
        List<Field> fields = new ArrayList<>();
        while (rest.hasRemaining()) {
            long key = varint(rest);
            int number = (int) (key / 8);
            int wireType = (int) (key % 8);
            ByteBuffer none = ByteBuffer.allocate(0);
            fields.add(
                    switch (wireType) {
                        case 0 -> new Field(number, wireType, varint(rest), none);
                        case 2 -> new Field(number, wireType, 0, delimited(rest));
                        default -> throw new IllegalArgumentException("wire type " + wireType + " of field " + number);
                    });
        }
        return fields;
    }

    private static long varint(ByteBuffer rest) {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = rest.get();
            value += (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new IllegalArgumentException("a varint of more than ten bytes");
    }
}
