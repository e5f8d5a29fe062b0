package org.rankunit.collective.exchange.chakra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** One message in the wire format of Protocol Buffers. */
final class WireMessage {

    private static final int VARINT = 0;
    private static final int DELIMITED = 2;
    private static final int TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Add a number. Fields with a number of 0 can be left out by the caller, unless they are part of a oneof. */
    WireMessage number(int field, long value) {
        varint(bytes, ((long) field << TYPE_BITS) | VARINT);
        varint(bytes, value);
        return this;
    }

    WireMessage text(int field, String value) {
        return delimited(field, value.getBytes(UTF_8));
    }

    WireMessage message(int field, WireMessage value) {
        return delimited(field, value.bytes.toByteArray());
    }

    /** Add a repeated field of numbers, packed; nothing if there is none. */
    WireMessage packed(int field, long... values) {
        if (values.length == 0) {
            return this;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (long value : values) {
            varint(all, value);
        }
        return delimited(field, all.toByteArray());
    }

    private WireMessage delimited(int field, byte[] value) {
        varint(bytes, ((long) field << TYPE_BITS) | DELIMITED);
        varint(bytes, value.length);
        bytes.writeBytes(value);
        return this;
    }

    private static void varint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & -(1L << VARINT_BITS)) != 0) {
            out.write((int) ((rest & ((1L << VARINT_BITS) - 1)) | (1L << VARINT_BITS)));
            rest >>>= VARINT_BITS;
        }
        out.write((int) rest);
    }

    /** Write the number of its bytes, and these. */
    void writeTo(OutputStream out) throws IOException {
        ByteArrayOutputStream length = new ByteArrayOutputStream();
        varint(length, bytes.size());
        length.writeTo(out);
        bytes.writeTo(out);
    }
}
