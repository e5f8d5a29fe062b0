package org.rankunit;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.rankunit.internal.numbers.Rows;

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
     * Replace the whole content of a buffer of floating type, each value rounded to {@link #type()}; a {@code FLOAT64} holds all of
     * them.
     *
     * @throws IllegalArgumentException if the buffer holds integers or booleans, or another number of elements
     */
    default void write(float... values) {
        write(converted(values));
    }

    /**
     * Replace the whole content of a buffer of floating type by the rows of a matrix, each value rounded to {@link #type()}.
     *
     * @throws IllegalArgumentException as with {@link #write(float...)}, or if the rows are not as long as those of {@link #shape()}
     */
    default void write(float[][] rows) {
        write(converted(Rows.joined(shape(), rows)));
    }

    /**
     * Write the same number into every element; the type has to hold it exactly.
     *
     * @throws IllegalArgumentException if the buffer's type does not hold the number exactly
     */
    default void fill(double number) {
        write(Values.repeated(type(), number, count()));
    }

    /**
     * Replace the whole content of a buffer of numbers, whose type has to hold each value exactly: {@code write(0.5, 2.0)} for
     * {@code FLOAT32}, for instance. {@link Values#rounded(DType, double...)} rounds.
     *
     * @throws IllegalArgumentException if a value is not exactly one of the type, with its index; as with {@link #write(Values)}
     */
    default void write(double... values) {
        write(converted(values));
    }

    /**
     * Replace the whole content of a buffer of 8-bit integers, given as their bits; errors as with
     * {@link #write(Values)}.
     */
    default void write(byte... values) {
        write(converted(values));
    }

    /** Replace the whole content of an {@code INT16} buffer; errors as with {@link #write(Values)}. */
    default void write(short... values) {
        write(Values.int16(values));
    }

    /**
     * Replace the whole content of a buffer of numbers, whose type has to hold each value exactly.
     *
     * @throws IllegalArgumentException if a value is none of the type, with its index; as with {@link #write(Values)}
     */
    default void write(int... values) {
        write(Values.exactly(type(), Arrays.stream(values).asLongStream().toArray()));
    }

    /**
     * Replace the whole content of a buffer of numbers, whose type has to hold each value exactly; those of {@code UINT64} are
     * given as their bits.
     *
     * @throws IllegalArgumentException if a value is none of the type, with its index; as with {@link #write(Values)}
     */
    default void write(long... values) {
        write(converted(values));
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

    /**
     * Verify the whole content: compare it with these values, by the default tolerance of the type, as
     * {@code Golden.of(name(), expected).verify(this)} does. {@link org.rankunit.golden.Golden} has other tolerances and standards.
     *
     * <pre>{@code
     * rank.buffer("sum").verify(3, 6, 9);
     * }</pre>
     *
     * @throws AssertionError if the type, the count or an element differs; the message says which, and how
     */
    void verify(Values expected);

    /**
     * Verify the content of a buffer of floating type: each value is rounded to {@link #type()} as {@link #write(float...)} does.
     *
     * @throws IllegalArgumentException if the type rounds a finite value to an infinity, which an output that overflows would equal
     */
    default void verify(float... expected) {
        verify(finite(expected));
    }

    /** Verify the content of a buffer of floating type, given by the rows of a matrix; errors as with {@link #write(float[][])}. */
    default void verify(float[][] expected) {
        verify(finite(Rows.joined(shape(), expected)));
    }

    /** Verify the content of a buffer of numbers, whose type has to hold each value exactly. */
    default void verify(double... expected) {
        verify(converted(expected));
    }

    /** Verify the content of a buffer of numbers, whose type has to hold each value exactly. */
    default void verify(int... expected) {
        verify(Values.exactly(type(), Arrays.stream(expected).asLongStream().toArray()));
    }

    /** Verify the content of a buffer of numbers, given as {@link #write(long...)} takes them. */
    default void verify(long... expected) {
        verify(converted(expected));
    }

    /** Verify the content of a {@code BOOL} buffer. */
    default void verify(boolean... expected) {
        verify(Values.bool(expected));
    }

    private Values converted(float[] values) {
        return type().isFloating() ? Values.rounded(type(), values) : Values.float32(values);
    }

    private Values finite(float[] expected) {
        Values rounded = converted(expected);
        for (int i = 0; type() != DType.FLOAT32 && rounded.type() == type() && i < expected.length; i++) {
            if (Float.isFinite(expected[i]) && Double.isInfinite(rounded.doubleAt(i))) {
                throw new IllegalArgumentException("[" + i + "]: " + expected[i] + " is too large for " + type()
                        + ", which would make it infinite. Expect Float.POSITIVE_INFINITY or Float.NEGATIVE_INFINITY if that"
                        + " is meant.");
            }
        }
        return rounded;
    }

    private Values converted(double[] values) {
        return Values.exactly(type(), values);
    }

    private Values converted(long[] values) {
        return type() == DType.UINT64 ? Values.uint64(values) : Values.exactly(type(), values);
    }

    private Values converted(byte[] values) {
        return type() == DType.UINT8 ? Values.decode(DType.UINT8, values) : Values.int8(values);
    }
}
