package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * Read and write one named buffer of this rank, as declared with {@link Buffer}.
 *
 * <p>Reads and writes copy between the memory of the host and of the device, and are complete when they return. Data
 * that another rank wrote into a window is visible after a {@link RankContext#barrier() barrier}. Any thread of the
 * test may use a buffer; the caller must order concurrent writes to the same buffer. After its test has ended, every
 * method except the plain accessors throws {@link IllegalStateException}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface RankBuffer {

    /** Get the name given in {@link Buffer#name()}. */
    String name();

    /** Get the type of the elements. */
    DType type();

    /** Get the number of elements. */
    int count();

    /** Get where the buffer is. */
    Placement placement();

    /** Get the extents given in {@link Buffer#shape()}, the outermost first; the count alone if there is no shape. */
    default int[] shape() {
        return new int[] {count()};
    }

    /** Get what the buffer is for. */
    default Buffer.Role role() {
        return Buffer.Role.PLAIN;
    }

    /** Get the address on this rank's device, to pass to kernels. */
    long address();

    /** Get the size in bytes: {@link #count()} elements of {@link #type()}. */
    default long byteSize() {
        return (long) count() * type().byteSize();
    }

    /**
     * Replace the whole content.
     *
     * @throws IllegalArgumentException if the type or number of the values differs from the buffer's
     */
    void write(Values values);

    /** Read the whole content. */
    Values read();

    /**
     * Replace the whole content of a buffer of floating type, each value rounded to {@link #type()}.
     *
     * @throws IllegalArgumentException if the buffer holds integers or booleans, or another number of elements
     */
    default void write(float... values) {
        write(type().isFloating() && type() != DType.FLOAT64 ? Values.rounded(type(), values) : Values.float32(values));
    }

    /** Replace the whole content of a {@code FLOAT64} buffer; errors as with {@link #write(Values)}. */
    default void write(double... values) {
        write(Values.float64(values));
    }

    /**
     * Replace the whole content of a buffer of 8-bit integers, given as their bits; errors as with
     * {@link #write(Values)}.
     */
    default void write(byte... values) {
        write(type() == DType.UINT8 ? Values.decode(DType.UINT8, values) : Values.int8(values));
    }

    /** Replace the whole content of an {@code INT16} buffer; errors as with {@link #write(Values)}. */
    default void write(short... values) {
        write(Values.int16(values));
    }

    /**
     * Replace the whole content of a buffer of {@code INT32}, {@code UINT8} or {@code UINT16}; errors as with
     * {@link #write(Values)}.
     */
    default void write(int... values) {
        write(
                switch (type()) {
                    case UINT8 -> Values.uint8(values);
                    case UINT16 -> Values.uint16(values);
                    default -> Values.int32(values);
                });
    }

    /**
     * Replace the whole content of a buffer of {@code INT64}, {@code UINT32} or {@code UINT64} (as bits); errors as
     * with {@link #write(Values)}.
     */
    default void write(long... values) {
        write(
                switch (type()) {
                    case UINT32 -> Values.uint32(values);
                    case UINT64 -> Values.uint64(values);
                    default -> Values.int64(values);
                });
    }

    /** Replace the whole content of a {@code BOOL} buffer; errors as with {@link #write(Values)}. */
    default void write(boolean... values) {
        write(Values.bool(values));
    }

    /**
     * Read the whole content of a buffer of {@code FLOAT16}, {@code BFLOAT16} or {@code FLOAT32}.
     *
     * @throws IllegalStateException if the buffer has another type
     */
    default float[] readFloats() {
        return read().toFloats();
    }

    /** Read the whole content of a {@code FLOAT64} buffer; narrower floating types are widened. */
    default double[] readDoubles() {
        return read().toDoubles();
    }

    /** Read the whole content of an {@code INT8} buffer. */
    default byte[] readBytes() {
        return read().toBytes();
    }

    /** Read the whole content of an {@code INT16} buffer; narrower integers are widened. */
    default short[] readShorts() {
        return read().toShorts();
    }

    /** Read the whole content of an {@code INT32} buffer; narrower integers are widened. */
    default int[] readInts() {
        return read().toInts();
    }

    /** Read the whole content of a buffer of integers, widened; {@code UINT64} as its bits. */
    default long[] readLongs() {
        return read().toLongs();
    }

    /** Read the whole content of a {@code BOOL} buffer. */
    default boolean[] readBooleans() {
        return read().toBooleans();
    }
}
