package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;
import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ShortBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.internal.numbers.BFloat16;
import org.rankunit.internal.numbers.Float16;
import org.rankunit.internal.numbers.Float8;
import org.rankunit.internal.numbers.OddRounding;
import org.rankunit.internal.numbers.ShortestDecimal;
import org.rankunit.internal.numbers.WholeNumbers;

/**
 * An immutable typed array: what a buffer holds, or what it should hold.
 *
 * <pre>{@code
 * Values input = Values.float16(1, 0.5f, -2);
 * input.type();      // FLOAT16
 * input.encode();    // 6 bytes: 00 3c 00 38 00 c0
 * input.toFloats();  // {1.0f, 0.5f, -2.0f}
 *
 * Values.uint8(0, 255);  // fine
 * Values.uint8(0, 256);  // IllegalArgumentException: uint8 [1]: 256 is outside [0, 255]
 * }</pre>
 *
 * <p>Arrays are copied on the way in and on the way out, so an instance never changes and threads may share it. Two
 * instances are equal if type, count and every bit are equal: {@code 0.0} and {@code -0.0} differ here, and a NaN
 * equals the same NaN. To compare as numbers, within a tolerance, use {@link org.rankunit.golden.Golden}.
 *
 * <p>An instance holds up to 2 GiB; factories refuse more with an {@link IllegalArgumentException}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class Values {

    /** From this many bytes on, elements are kept outside of the Java heap, where native code can look at them. */
    private static final int LARGE = 1 << 20;

    /** How many elements {@link #toString()} shows. */
    private static final int SHOWN = 8;

    private final DType type;
    private final int count;
    /**
     * Little endian, position 0. Read only by absolute index or through new views, so that threads may share it.
     */
    private final ByteBuffer memory;

    private Values(DType type, ByteBuffer memory) {
        this.type = type;
        this.count = memory.capacity() / type.byteSize();
        this.memory = memory;
    }

    /** Round each value to the nearest binary16, ties to even; magnitudes from 65520 on become infinite. */
    public static Values float16(float... values) {
        ByteBuffer memory = room(DType.FLOAT16, values.length);
        ShortBuffer shorts = memory.asShortBuffer();
        for (float value : values) {
            shorts.put(Float16.fromFloat(value));
        }
        return new Values(DType.FLOAT16, memory);
    }

    /** Round each value to the nearest bfloat16, ties to even. */
    public static Values bfloat16(float... values) {
        ByteBuffer memory = room(DType.BFLOAT16, values.length);
        ShortBuffer shorts = memory.asShortBuffer();
        for (float value : values) {
            shorts.put(BFloat16.fromFloat(value));
        }
        return new Values(DType.BFLOAT16, memory);
    }

    /** Round each value to the nearest FP8 E4M3FN, ties to even; magnitudes above 464 become NaN. */
    public static Values float8e4m3fn(float... values) {
        return float8(DType.FLOAT8_E4M3FN, Float8.E4M3FN, values);
    }

    /** Round each value to the nearest FP8 E5M2, ties to even; magnitudes from 61440 on become infinite. */
    public static Values float8e5m2(float... values) {
        return float8(DType.FLOAT8_E5M2, Float8.E5M2, values);
    }

    /** Round each value to the nearest HiFloat8, ties away from zero; magnitudes from 40960 on become infinite. */
    public static Values hifloat8(float... values) {
        return float8(DType.HIFLOAT8, Float8.HIFLOAT8, values);
    }

    private static Values float8(DType type, Float8 format, float... values) {
        ByteBuffer memory = room(type, values.length);
        for (int i = 0; i < values.length; i++) {
            memory.put(i, format.fromFloat(values[i]));
        }
        return new Values(type, memory);
    }

    /**
     * Round each value to a floating type, as the method named after the type does.
     *
     * @throws IllegalArgumentException if the type is not floating
     */
    public static Values rounded(DType type, float... values) {
        return switch (type) {
            case FLOAT16 -> float16(values);
            case BFLOAT16 -> bfloat16(values);
            case FLOAT32 -> float32(values);
            case FLOAT64 -> {
                ByteBuffer memory = room(type, values.length);
                for (int i = 0; i < values.length; i++) {
                    memory.putDouble(i * Double.BYTES, values[i]);
                }
                yield new Values(type, memory);
            }
            case FLOAT8_E4M3FN -> float8e4m3fn(values);
            case FLOAT8_E5M2 -> float8e5m2(values);
            case HIFLOAT8 -> hifloat8(values);
            default -> throw new IllegalArgumentException(type + " is not a floating type.");
        };
    }

    /**
     * Round each value to a floating type, once: as the method named after the type does, and as {@code (float)} does for
     * {@link DType#FLOAT32}.
     *
     * @throws IllegalArgumentException if the type is not floating
     */
    public static Values rounded(DType type, double... values) {
        if (type == DType.FLOAT64) {
            return float64(values);
        }
        float[] narrower = new float[values.length];
        for (int i = 0; i < values.length; i++) {
            narrower[i] = type == DType.FLOAT32 ? (float) values[i] : OddRounding.toFloat(values[i]);
        }
        return rounded(type, narrower);
    }

    /**
     * Convert numbers to a type that holds each of them exactly.
     *
     * @throws IllegalArgumentException if it does not hold one of them, with its index, or if the type is {@link DType#BOOL}
     */
    public static Values exactly(DType type, double... values) {
        if (!type.isFloating()) {
            return decode(type, wholeNumbers(type).encode(values));
        }
        Values converted = rounded(type, values);
        for (int i = 0; i < values.length; i++) {
            if (Double.compare(converted.doubleAt(i), values[i]) != 0) {
                throw inexact(type, Double.toString(values[i]), i);
            }
        }
        return converted;
    }

    private static IllegalArgumentException inexact(DType type, String number, int index) {
        return new IllegalArgumentException("[" + index + "]: no " + type + " is exactly " + number
                + ". Values.rounded gives the nearest one, and so does a number given as float, such as 0.1f.");
    }

    private static WholeNumbers wholeNumbers(DType type) {
        if (type == DType.BOOL) {
            throw new IllegalArgumentException("bool holds no numbers. Give true and false.");
        }
        return new WholeNumbers(type.toString(), type.byteSize(), type.isUnsigned());
    }

    /** Convert integers to a type that holds each of them exactly; errors as with {@link #exactly(DType, double...)}. */
    public static Values exactly(DType type, long... values) {
        if (!type.isFloating()) {
            return decode(type, wholeNumbers(type).encode(values));
        }
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
            if (new BigDecimal(doubles[i]).compareTo(BigDecimal.valueOf(values[i])) != 0) {
                throw inexact(type, Long.toString(values[i]), i);
            }
        }
        return exactly(type, doubles);
    }

    /** Create {@link DType#FLOAT32} values. */
    public static Values float32(float... values) {
        ByteBuffer memory = room(DType.FLOAT32, values.length);
        memory.asFloatBuffer().put(values);
        return new Values(DType.FLOAT32, memory);
    }

    /** Create {@link DType#FLOAT64} values. */
    public static Values float64(double... values) {
        ByteBuffer memory = room(DType.FLOAT64, values.length);
        memory.asDoubleBuffer().put(values);
        return new Values(DType.FLOAT64, memory);
    }

    /** Create {@link DType#INT8} values. */
    public static Values int8(byte... values) {
        return decode(DType.INT8, values);
    }

    /** Create {@link DType#INT16} values. */
    public static Values int16(short... values) {
        ByteBuffer memory = room(DType.INT16, values.length);
        memory.asShortBuffer().put(values);
        return new Values(DType.INT16, memory);
    }

    /** Create {@link DType#INT32} values. */
    public static Values int32(int... values) {
        ByteBuffer memory = room(DType.INT32, values.length);
        memory.asIntBuffer().put(values);
        return new Values(DType.INT32, memory);
    }

    /** Create {@link DType#INT64} values. */
    public static Values int64(long... values) {
        ByteBuffer memory = room(DType.INT64, values.length);
        memory.asLongBuffer().put(values);
        return new Values(DType.INT64, memory);
    }

    /**
     * Create {@link DType#UINT8} values.
     *
     * @throws IllegalArgumentException if one is outside [0, 255], with its index
     */
    public static Values uint8(int... values) {
        ByteBuffer memory = room(DType.UINT8, values.length);
        for (int i = 0; i < values.length; i++) {
            memory.put(i, (byte) unsigned(DType.UINT8, values[i], i));
        }
        return new Values(DType.UINT8, memory);
    }

    /**
     * Create {@link DType#UINT16} values.
     *
     * @throws IllegalArgumentException if one is outside [0, 65535], with its index
     */
    public static Values uint16(int... values) {
        ByteBuffer memory = room(DType.UINT16, values.length);
        ShortBuffer shorts = memory.asShortBuffer();
        for (int i = 0; i < values.length; i++) {
            shorts.put((short) unsigned(DType.UINT16, values[i], i));
        }
        return new Values(DType.UINT16, memory);
    }

    /**
     * Create {@link DType#UINT32} values.
     *
     * @throws IllegalArgumentException if one is outside [0, 4294967295], with its index
     */
    public static Values uint32(long... values) {
        ByteBuffer memory = room(DType.UINT32, values.length);
        for (int i = 0; i < values.length; i++) {
            memory.putInt(i * Integer.BYTES, (int) unsigned(DType.UINT32, values[i], i));
        }
        return new Values(DType.UINT32, memory);
    }

    /** Create {@link DType#UINT64} values from their bits: {@code -1L} is 18446744073709551615. */
    public static Values uint64(long... bits) {
        ByteBuffer memory = room(DType.UINT64, bits.length);
        memory.asLongBuffer().put(bits);
        return new Values(DType.UINT64, memory);
    }

    /** Create {@link DType#BOOL} values. */
    public static Values bool(boolean... values) {
        ByteBuffer memory = room(DType.BOOL, values.length);
        for (int i = 0; i < values.length; i++) {
            memory.put(i, (byte) (values[i] ? 1 : 0));
        }
        return new Values(DType.BOOL, memory);
    }

    /**
     * Decode elements from the format of device memory.
     *
     * @param type the type of the elements
     * @param littleEndian the elements, one after the other; every bit pattern is kept as it is
     * @throws IllegalArgumentException if the length is not a multiple of the type's size
     */
    public static Values decode(DType type, byte[] littleEndian) {
        if (littleEndian.length % type.byteSize() != 0) {
            throw noWholeNumber(type, littleEndian.length);
        }
        return decode(type, ByteBuffer.wrap(littleEndian));
    }

    /**
     * Copy elements in the format of device memory from a buffer, whose position stays as it is.
     *
     * @param type the type of the elements
     * @param littleEndian the elements between its position and its limit; its own byte order does not matter
     * @throws IllegalArgumentException if the length is not a multiple of the type's size
     */
    public static Values decode(DType type, ByteBuffer littleEndian) {
        if (littleEndian.remaining() % type.byteSize() != 0) {
            throw noWholeNumber(type, littleEndian.remaining());
        }
        ByteBuffer memory = room(littleEndian.remaining());
        memory.put(0, littleEndian, littleEndian.position(), littleEndian.remaining());
        return new Values(type, memory);
    }

    /**
     * Create values from what this function puts into a buffer of their size.
     *
     * @throws IllegalArgumentException if they would need more than 2 GiB
     */
    @API(status = INTERNAL, since = "0.1")
    public static Values filled(DType type, int count, Consumer<ByteBuffer> filler) {
        ByteBuffer memory = room(type, count);
        filler.accept(memory.duplicate());
        return new Values(type, memory);
    }

    /** Create so many elements of the same number; errors as with {@link #exactly(DType, double...)}. */
    @API(status = INTERNAL, since = "0.1")
    public static Values repeated(DType type, double number, int count) {
        byte[] element = exactly(type, number).encode();
        byte[] some = new byte[element.length * Math.min(count, 1 << 12)];
        for (int i = 0; i < some.length; i++) {
            some[i] = element[i % element.length];
        }
        return filled(type, count, memory -> {
            while (memory.hasRemaining()) {
                memory.put(some, 0, Math.min(some.length, memory.remaining()));
            }
        });
    }

    private static IllegalArgumentException noWholeNumber(DType type, int bytes) {
        return new IllegalArgumentException(bytes + " bytes are not a whole number of " + type
                + " elements, which have " + type.byteSize() + " bytes each.");
    }

    /** Encode the elements in the format of device memory: {@code count() * type().byteSize()} bytes, little endian. */
    public byte[] encode() {
        byte[] bytes = new byte[memory.capacity()];
        memory.get(0, bytes);
        return bytes;
    }

    /** Get the type of the elements. */
    public DType type() {
        return type;
    }

    /** Get the number of elements. */
    public int count() {
        return count;
    }

    /**
     * Get one element of a floating type, widened exactly.
     *
     * @throws IllegalStateException if the type is not floating
     * @throws IndexOutOfBoundsException if {@code index} is outside [0, count)
     */
    public double doubleAt(int index) {
        Objects.checkIndex(index, count);
        return switch (type) {
            case FLOAT16 -> Float16.toFloat(memory.getShort(index * Short.BYTES));
            case BFLOAT16 -> BFloat16.toFloat(memory.getShort(index * Short.BYTES));
            case FLOAT8_E4M3FN -> Float8.E4M3FN.toFloat(memory.get(index));
            case FLOAT8_E5M2 -> Float8.E5M2.toFloat(memory.get(index));
            case HIFLOAT8 -> Float8.HIFLOAT8.toFloat(memory.get(index));
            case FLOAT32 -> memory.getFloat(index * Float.BYTES);
            case FLOAT64 -> memory.getDouble(index * Double.BYTES);
            default -> throw wrongType("doubleAt", "a floating type");
        };
    }

    /**
     * Get one element of an integer type, widened, or the byte of a {@link DType#BOOL}.
     *
     * @return the number; the bits of a {@code UINT64}; 0 or 1 for a proper {@code BOOL}, else its byte in [2, 255]
     * @throws IllegalStateException if the type is floating
     * @throws IndexOutOfBoundsException if {@code index} is outside [0, count)
     */
    public long longAt(int index) {
        Objects.checkIndex(index, count);
        return switch (type) {
            case INT8 -> memory.get(index);
            case UINT8, BOOL -> Byte.toUnsignedLong(memory.get(index));
            case INT16 -> memory.getShort(index * Short.BYTES);
            case UINT16 -> Short.toUnsignedLong(memory.getShort(index * Short.BYTES));
            case INT32 -> memory.getInt(index * Integer.BYTES);
            case UINT32 -> Integer.toUnsignedLong(memory.getInt(index * Integer.BYTES));
            case INT64, UINT64 -> memory.getLong(index * Long.BYTES);
            default -> throw wrongType("longAt", "an integer type or bool");
        };
    }

    /**
     * Get the bits of one element, whatever its type, in the lower bits of the result; the others are 0.
     *
     * @throws IndexOutOfBoundsException if {@code index} is outside [0, count)
     */
    public long bitsAt(int index) {
        Objects.checkIndex(index, count);
        return switch (type.byteSize()) {
            case Byte.BYTES -> Byte.toUnsignedLong(memory.get(index));
            case Short.BYTES -> Short.toUnsignedLong(memory.getShort(index * Short.BYTES));
            case Integer.BYTES -> Integer.toUnsignedLong(memory.getInt(index * Integer.BYTES));
            default -> memory.getLong(index * Long.BYTES);
        };
    }

    /** The elements in the format of device memory; of many elements, a direct buffer. */
    @API(status = INTERNAL, since = "0.1")
    public ByteBuffer memory() {
        return memory.asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Tell whether some elements have the same bits as those of other values of the same type and count. */
    @API(status = INTERNAL, since = "0.1")
    public boolean sameBits(Values other, int from, int elements) {
        int size = type.byteSize();
        return memory.slice(from * size, elements * size).equals(other.memory.slice(from * size, elements * size));
    }

    /**
     * Copy the elements of a floating type but {@code FLOAT64}, widened exactly.
     *
     * @throws IllegalStateException for any other type; {@code FLOAT64} would lose digits: use {@link #toDoubles()}
     */
    public float[] toFloats() {
        return ValueArrays.floats(this, memory);
    }

    /**
     * Copy the elements of any type but {@code BOOL}, each exactly.
     *
     * @throws ArithmeticException if a double cannot hold a 64-bit integer exactly, with its index
     * @throws IllegalStateException if the type is {@code BOOL}
     */
    public double[] toDoubles() {
        return ValueArrays.doubles(this, memory);
    }

    /**
     * Copy the elements of {@code INT8}.
     *
     * @throws IllegalStateException for any other type; {@link #encode()} gives the bytes of every type
     */
    public byte[] toBytes() {
        if (type != DType.INT8) {
            throw wrongType("toBytes", "int8");
        }
        return encode();
    }

    /**
     * Copy the elements of {@code INT8}, {@code UINT8} or {@code INT16}, widened.
     *
     * @throws IllegalStateException for any other type
     */
    public short[] toShorts() {
        return ValueArrays.shorts(this, memory);
    }

    /**
     * Copy the elements of {@code INT8}, {@code UINT8}, {@code INT16}, {@code UINT16} or {@code INT32}, widened.
     *
     * @throws IllegalStateException for any other type
     */
    public int[] toInts() {
        return ValueArrays.ints(this, memory);
    }

    /**
     * Copy the elements of any integer type, widened; for {@code UINT64} the bits.
     *
     * @throws IllegalStateException for a floating type or {@code BOOL}
     */
    public long[] toLongs() {
        return ValueArrays.longs(this, memory);
    }

    /**
     * Copy the elements of {@code BOOL}.
     *
     * @throws IllegalStateException for any other type, or if a byte is neither 0 nor 1, with its index
     */
    public boolean[] toBooleans() {
        return ValueArrays.booleans(this);
    }

    /**
     * Format one element as the shortest text that is exact for its type, the same in every locale and on every JDK.
     *
     * <pre>{@code
     * Values.float16(0.1f).format(0)  // "0.1", which float16 rounds to the same element
     * Values.uint64(-1L).format(0)    // "18446744073709551615"
     * Values.bool(true).format(0)     // "true"; a byte that is neither 0 nor 1 is written as "0xab"
     * }</pre>
     *
     * @throws IndexOutOfBoundsException if {@code index} is outside [0, count)
     */
    public String format(int index) {
        return switch (type) {
            case FLOAT16 -> ShortestDecimal.ofFloat16(doubleAt(index));
            case BFLOAT16 -> ShortestDecimal.ofBFloat16(doubleAt(index));
            case FLOAT8_E4M3FN -> ShortestDecimal.ofFloat8(doubleAt(index), Float8.E4M3FN);
            case FLOAT8_E5M2 -> ShortestDecimal.ofFloat8(doubleAt(index), Float8.E5M2);
            case HIFLOAT8 -> ShortestDecimal.ofFloat8(doubleAt(index), Float8.HIFLOAT8);
            case FLOAT32 -> ShortestDecimal.ofFloat(doubleAt(index));
            case FLOAT64 -> ShortestDecimal.ofDouble(doubleAt(index));
            case BOOL -> truth(longAt(index));
            case UINT8, UINT16, UINT32, UINT64 -> Long.toUnsignedString(longAt(index));
            case INT8, INT16, INT32, INT64 -> Long.toString(longAt(index));
        };
    }

    private static String truth(long stored) {
        return stored == 0 ? "false" : stored == 1 ? "true" : "0x" + Long.toHexString(stored);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Values that && type == that.type && memory.equals(that.memory);
    }

    @Override
    public int hashCode() {
        return 31 * type.toString().hashCode() + memory.hashCode();
    }

    /** Returns type, count and the first few elements, such as {@code 3 x float32 [1.0, 2.0, 3.0]}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(count).append(" x ").append(type).append(" [");
        for (int i = 0; i < Math.min(count, SHOWN); i++) {
            text.append(i == 0 ? "" : ", ").append(format(i));
        }
        if (count > SHOWN) {
            text.append(", and ").append(count - SHOWN).append(" more");
        }
        return text.append(']').toString();
    }

    IllegalStateException wrongType(String method, String readable) {
        return new IllegalStateException(method + "() reads " + readable + ", but these are " + count + " x " + type
                + ". " + ValueArrays.readerOf(type) + "() reads them.");
    }

    private static ByteBuffer room(DType type, int count) {
        long bytes = (long) count * type.byteSize();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    count + " x " + type + " are " + bytes + " bytes, more than the 2147483647 that Values can hold.");
        }
        return room((int) bytes);
    }

    private static ByteBuffer room(int bytes) {
        ByteBuffer memory = bytes < LARGE ? ByteBuffer.allocate(bytes) : large(bytes);
        return memory.order(ByteOrder.LITTLE_ENDIAN);
    }

    private static ByteBuffer large(int bytes) {
        try {
            return ByteBuffer.allocateDirect(bytes);
        } catch (OutOfMemoryError e) {
            // The JVM limits direct memory apart from its heap, where there may be room.
            return ByteBuffer.allocate(bytes);
        }
    }

    private static long unsigned(DType type, long value, int index) {
        long largest = (1L << (type.byteSize() * Byte.SIZE)) - 1;
        if (value < 0 || value > largest) {
            throw new IllegalArgumentException(
                    type + " [" + index + "]: " + value + " is outside [0, " + largest + "].");
        }
        return value;
    }
}
