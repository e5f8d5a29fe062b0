package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * The type of a buffer's elements, as device code sees them.
 *
 * <p>All types are little endian in memory. {@link #toString()} gives the name that messages show, such as
 * {@code float32}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum DType {

    /** IEEE 754 binary16: 11 significant bits, largest finite value 65504. */
    FLOAT16("float16", 2, Kind.FLOATING),
    /** The upper half of a {@link #FLOAT32}: 8 significant bits, the same range. */
    BFLOAT16("bfloat16", 2, Kind.FLOATING),
    /** IEEE 754 binary32, Java's {@code float}. */
    FLOAT32("float32", 4, Kind.FLOATING),
    /** IEEE 754 binary64, Java's {@code double}. */
    FLOAT64("float64", 8, Kind.FLOATING),
    /**
     * 8 bits, 4 of them exponent and 3 fraction: largest value 448, no infinities. As {@code torch.float8_e4m3fn}; larger values
     * become NaN.
     */
    FLOAT8_E4M3FN("float8_e4m3fn", 1, Kind.FLOATING),
    /** 8 bits, 5 of them exponent and 2 fraction: largest finite value 57344. As {@code torch.float8_e5m2}. */
    FLOAT8_E5M2("float8_e5m2", 1, Kind.FLOATING),
    /**
     * HiFloat8 of Ascend devices: 8 bits, of which numbers near 1 have up to 3 bits of fraction; largest finite value 32768,
     * smallest 2^-22; one zero. Source: arXiv 2409.16626.
     */
    HIFLOAT8("hifloat8", 1, Kind.FLOATING),
    /** Two's complement, 8 bits. */
    INT8("int8", 1, Kind.SIGNED),
    /** Two's complement, 16 bits. */
    INT16("int16", 2, Kind.SIGNED),
    /** Two's complement, 32 bits. */
    INT32("int32", 4, Kind.SIGNED),
    /** Two's complement, 64 bits. */
    INT64("int64", 8, Kind.SIGNED),
    /** Unsigned, 8 bits: 0 to 255. */
    UINT8("uint8", 1, Kind.UNSIGNED),
    /** Unsigned, 16 bits: 0 to 65535. */
    UINT16("uint16", 2, Kind.UNSIGNED),
    /** Unsigned, 32 bits: 0 to 4294967295. */
    UINT32("uint32", 4, Kind.UNSIGNED),
    /** Unsigned, 64 bits: 0 to 18446744073709551615. */
    UINT64("uint64", 8, Kind.UNSIGNED),
    /** One byte: 0 is false, 1 is true, anything else is neither. */
    BOOL("bool", 1, Kind.TRUTH);

    private enum Kind {
        FLOATING,
        SIGNED,
        UNSIGNED,
        TRUTH
    }

    private final String text;
    private final int byteSize;
    private final Kind kind;

    DType(String text, int byteSize, Kind kind) {
        this.text = text;
        this.byteSize = byteSize;
        this.kind = kind;
    }

    /** Get the size of one element in bytes: 1, 2, 4 or 8. */
    public int byteSize() {
        return byteSize;
    }

    /** Returns whether this is a floating type; these are compared within a tolerance. */
    public boolean isFloating() {
        return kind == Kind.FLOATING;
    }

    /** Returns whether this is an integer type; {@link #BOOL} is not. */
    public boolean isInteger() {
        return kind == Kind.SIGNED || kind == Kind.UNSIGNED;
    }

    /** Returns whether this is an unsigned integer type. */
    public boolean isUnsigned() {
        return kind == Kind.UNSIGNED;
    }

    /** Get the name that messages show, such as {@code float32}. */
    @Override
    public String toString() {
        return text;
    }
}
