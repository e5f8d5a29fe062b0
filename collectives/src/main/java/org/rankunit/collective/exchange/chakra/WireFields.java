package org.rankunit.collective.exchange.chakra;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/** Walks the fields of a message in the wire format of Protocol Buffers. Places in errors are bytes of the file. */
final class WireFields {

    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;
    static final int FIXED32 = 5;

    private static final int TYPE_BITS = 3;
    private static final int VARINT_BITS = 7;
    private static final int MAX_VARINT_BYTES = 10;

    private final Path file;
    private final ByteBuffer rest;
    /** Where byte 0 of the buffer is in the file. */
    private final long base;

    private long keyOffset;
    private int field;
    private int wireType;

    WireFields(Path file, ByteBuffer bytes, long base) {
        this.file = file;
        this.rest = bytes.order(ByteOrder.LITTLE_ENDIAN);
        this.base = base;
    }

    /** Go on to the next field; returns false at the end of the message. */
    boolean next() {
        if (!rest.hasRemaining()) {
            return false;
        }
        keyOffset = offset();
        long key = varint();
        field = (int) (key >>> TYPE_BITS);
        wireType = (int) (key & ((1 << TYPE_BITS) - 1));
        if (key >>> TYPE_BITS == 0 || key >>> Integer.SIZE != 0) {
            throw error("there is no field " + (key >>> TYPE_BITS));
        }
        return true;
    }

    int field() {
        return field;
    }

    int wireType() {
        return wireType;
    }

    private long offset() {
        return base + rest.position();
    }

    /** Make an error that names the place of the current field. */
    ChakraFormatException error(String what) {
        return ChakraFormatException.at(file, keyOffset, what + ". Is this an execution trace of schema 0.0.4?");
    }

    private void require(int expected, String name) {
        if (wireType != expected) {
            throw error(name + " (field " + field + ") has wire type " + wireType + ", expected " + expected);
        }
    }

    /** Take the value of the current field, which is a varint. */
    long number(String name) {
        require(VARINT, name);
        return varint();
    }

    String text(String name) {
        require(DELIMITED, name);
        return UTF_8.decode(delimited()).toString();
    }

    WireFields message(String name) {
        require(DELIMITED, name);
        ByteBuffer bytes = delimited();
        return new WireFields(file, bytes, offset() - bytes.remaining());
    }

    /** Take an integer of 4 or 8 bytes. */
    long fixed(String name, int bytes) {
        require(bytes == Long.BYTES ? FIXED64 : FIXED32, name);
        requireLeft(bytes);
        return bytes == Long.BYTES ? rest.getLong() : rest.getInt();
    }

    /** Take a varint that follows another one in a packed field; the field has ended when {@link #isAtEnd} says so. */
    long packed() {
        keyOffset = offset();
        return varint();
    }

    boolean isAtEnd() {
        return !rest.hasRemaining();
    }

    /** Leave the value of the current field out. */
    void skip() {
        switch (wireType) {
            case VARINT -> varint();
            case FIXED64 -> skip(Long.BYTES);
            case DELIMITED -> delimited();
            case FIXED32 -> skip(Integer.BYTES);
            default -> throw error("field " + field + " has wire type " + wireType + ", which does not exist");
        }
    }

    private void skip(int bytes) {
        requireLeft(bytes);
        rest.position(rest.position() + bytes);
    }

    private void requireLeft(long bytes) {
        if (bytes < 0 || bytes > rest.remaining()) {
            throw error("field " + field + " needs " + Long.toUnsignedString(bytes)
                    + " bytes, but its message has only " + rest.remaining() + " left");
        }
    }

    private ByteBuffer delimited() {
        long length = varint();
        requireLeft(length);
        ByteBuffer bytes = rest.slice(rest.position(), (int) length).order(ByteOrder.LITTLE_ENDIAN);
        rest.position(rest.position() + (int) length);
        return bytes;
    }

    private long varint() {
        long value = 0;
        for (int i = 0; i < MAX_VARINT_BYTES; i++) {
            if (!rest.hasRemaining()) {
                throw error("the message ends inside a number");
            }
            byte next = rest.get();
            value |= (long) (next & ((1 << VARINT_BITS) - 1)) << (VARINT_BITS * i);
            if (next >= 0) {
                return value;
            }
        }
        throw error("a number has more than " + MAX_VARINT_BYTES + " bytes");
    }
}
