package org.rankunit.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.ByteBuffer;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.CompareLibrary;

/**
 * Looks at all elements of two arrays of a floating type in direct buffers, with vector instructions. An element {@code a} equals
 * the expected one {@code e} if {@code |a - e| <= atol + rtol * max(floor, |e|)}, computed in {@code double}; equal infinities are
 * equal, and NaN is if that is allowed. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class FloatScan {

    /** The types of elements. */
    public enum Type {
        FLOAT32(0, Float.BYTES),
        FLOAT16(1, Short.BYTES),
        BFLOAT16(2, Short.BYTES);

        private final int number;
        private final int bytes;

        /** @param number that of {@code measure.h} */
        Type(int number, int bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    /**
     * What all elements together have shown.
     *
     * @param mismatches elements that differ
     * @param bitDifferences elements whose bits differ
     * @param nonFinite elements that differ and are not finite on either side
     * @param absolute the largest difference
     * @param absoluteIndex the first element that has it, or -1
     * @param relative the largest difference divided by the expected magnitude
     * @param relativeIndex the first element that has it, or -1
     */
    public record Result(
            int mismatches,
            int bitDifferences,
            int nonFinite,
            double absolute,
            int absoluteIndex,
            double relative,
            int relativeIndex) {}

    private final CompareLibrary library;
    private final ByteBuffer expected;
    private final ByteBuffer actual;
    private final double[] limits;

    /**
     * @param expected a direct buffer, of which all is compared; little endian
     * @param actual a direct buffer of the same size
     */
    public FloatScan(
            Type type,
            ByteBuffer expected,
            ByteBuffer actual,
            double rtol,
            double atol,
            double floor,
            boolean nanEqualsNan) {
        if (expected.capacity() != actual.capacity()) {
            throw new IllegalArgumentException(expected.capacity() + " and " + actual.capacity() + " bytes");
        }
        this.library = new CompareLibrary(type.number, expected.capacity() / type.bytes);
        this.expected = expected;
        this.actual = actual;
        this.limits = new double[] {rtol, atol, floor, nanEqualsNan ? 1 : 0};
    }

    /** Whether this machine has the native code; loads it at the first call. */
    public static boolean isAvailable() {
        return CompareLibrary.isAvailable();
    }

    /** Look at all elements. */
    public Result measure() {
        double[] extremes = new double[2];
        long[] counts = new long[5];
        library.measure(expected, actual, limits, extremes, counts);
        return new Result(
                (int) counts[0], (int) counts[1], (int) counts[2], extremes[0], (int) counts[3], extremes[1], (int)
                        counts[4]);
    }

    /**
     * List elements that differ, in ascending order.
     *
     * @param from the first one to look at
     * @param indices gets their indices until it is full
     * @return how many it got
     */
    public int list(int from, int[] indices) {
        return library.list(expected, actual, limits, from, indices);
    }

    /**
     * Show how errors are distributed. An error is infinite if NaN or an infinity stands on one side only.
     *
     * @param powers in ascending order
     * @param decades the number of finite errors above 0 in {@code [powers[i], powers[i + 1])} is added to element i
     * @param largest gets the largest error of each of as many equal parts
     */
    public void profile(double[] powers, long[] decades, double[] largest) {
        library.profile(expected, actual, limits, powers, decades, largest);
    }
}
