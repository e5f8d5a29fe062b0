package org.rankunit.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.ByteBuffer;
import java.util.stream.LongStream;
import org.apiguardian.api.API;
import org.rankunit.comm.jna.CompareLibrary;

/**
 * Looks at all elements of two arrays in direct buffers, with vector instructions. An element {@code a} equals the expected one
 * {@code e} if {@code |a - e| <= atol + rtol * max(floor, |e|)}, computed in {@code double}; equal infinities are equal, and NaN is if
 * that is allowed. Thread-safe.
 *
 * @since 0.1
 */
@API(status = INTERNAL, since = "0.1")
public final class ArrayScan {

    /** The types of elements, each of which is a {@code double} without rounding. */
    public enum Type {
        FLOAT32(0, Float.BYTES),
        FLOAT16(1, Short.BYTES),
        BFLOAT16(2, Short.BYTES),
        FLOAT64(3, Double.BYTES),
        INT8(4, Byte.BYTES),
        UINT8(5, Byte.BYTES),
        INT16(6, Short.BYTES),
        UINT16(7, Short.BYTES),
        INT32(8, Integer.BYTES),
        UINT32(9, Integer.BYTES);

        private final int number;
        private final int bytes;

        /** @param number that of {@code measure.h} */
        Type(int number, int bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    /** How many {@link Spread#samples} there are at most. */
    public static final int MAX_SAMPLES = 64;

    /**
     * What all elements together have shown.
     *
     * @param mismatches elements that differ
     * @param bitDifferences elements whose bits differ
     * @param nonFinite elements that differ and are not finite on either side
     * @param largest the largest differences of all elements
     * @param spread where elements differ
     */
    public record Result(int mismatches, int bitDifferences, int nonFinite, Largest largest, Spread spread) {}

    /**
     * The largest differences of some elements.
     *
     * @param absolute the largest difference
     * @param absoluteIndex the first element that has it, or -1
     * @param relative the largest difference divided by the expected magnitude
     * @param relativeIndex the first element that has it, or -1
     */
    public record Largest(double absolute, int absoluteIndex, double relative, int relativeIndex) {}

    /**
     * How the elements that differ are spread, and what they have in common.
     *
     * @param runs number of contiguous runs
     * @param runStart start of the last run
     * @param runLength length of the first run; 0 if there is only one
     * @param period from the start of the first run to that of the second one; 0 if there is only one
     * @param periodic whether all runs but the last one are as long, and as far from the next
     * @param sameActual whether all have the same actual number
     * @param flushed zeros for which a subnormal number was expected
     * @param largest the largest differences among them
     * @param sampleEvery a power of two: each so many-th of them is a sample
     * @param samples the samples
     */
    @SuppressWarnings("ArrayRecordComponent") // passed on, not compared
    public record Spread(
            int first,
            int last,
            int runs,
            int runStart,
            int runLength,
            int period,
            boolean periodic,
            boolean sameActual,
            int flushed,
            Largest largest,
            int sampleEvery,
            int[] samples) {}

    /**
     * How errors are distributed. An error is infinite if NaN or an infinity stands on one side only.
     *
     * @param powers in ascending order
     * @param decades the number of finite errors above 0 in {@code [powers[i], powers[i + 1])} is added to element i
     * @param largest gets the largest error of each of as many equal parts
     */
    @SuppressWarnings("ArrayRecordComponent") // outputs
    public record Profile(double[] powers, long[] decades, double[] largest) {}

    /**
     * Elements that are no ordinary numbers.
     *
     * @param unexpectedNans NaN was expected, and a finite number found
     * @param unexpectedInfinities an infinity was expected, and a finite number found
     * @param otherZeros -0.0 for 0.0, or the reverse
     */
    public record Specials(
            Kind actualNans,
            Kind expectedNans,
            Kind bothNans,
            Kind unexpectedNans,
            Kind unexpectedInfinities,
            Kind otherZeros) {}

    /**
     * The elements of one kind.
     *
     * @param first the first of them, or -1
     */
    public record Kind(int count, int first) {

        public static Kind none() {
            return new Kind(0, -1);
        }

        /** One more if this element is of the kind. */
        public Kind with(int index, boolean isOfIt) {
            return isOfIt ? new Kind(count + 1, count == 0 ? index : first) : this;
        }
    }

    /** Where samples begin among the numbers that {@link CompareLibrary#measure} stores. */
    private static final int SAMPLES = 18;

    private final CompareLibrary library;
    private final ByteBuffer expected;
    private final ByteBuffer actual;
    private final double[] limits;

    /**
     * @param expected a direct buffer, of which all is compared; little endian
     * @param actual a direct buffer of the same size
     */
    public ArrayScan(
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

    /**
     * Look at all elements.
     *
     * @param allowed how many elements may differ
     * @param indices gets the indices of the first elements that differ, in ascending order, until it is full
     * @param profile is made only if more elements differ, or one that is not finite
     */
    public Result measure(int allowed, int[] indices, Profile profile) {
        double[] extremes = new double[4];
        long[] counts = new long[SAMPLES + MAX_SAMPLES];
        library.measure(
                expected,
                actual,
                limits,
                allowed,
                extremes,
                counts,
                indices,
                profile.powers(),
                profile.decades(),
                profile.largest());
        return new Result(
                (int) counts[4],
                (int) counts[5],
                (int) counts[6],
                largest(extremes, counts, 0),
                spread(extremes, counts));
    }

    private static Spread spread(double[] extremes, long[] counts) {
        int samples = (int) counts[SAMPLES - 1];
        return new Spread(
                (int) counts[7],
                (int) counts[8],
                (int) counts[9],
                (int) counts[10],
                (int) counts[11],
                (int) counts[12],
                counts[13] != 0,
                counts[14] != 0,
                (int) counts[15],
                largest(extremes, counts, 2),
                (int) counts[16],
                LongStream.of(counts)
                        .skip(SAMPLES)
                        .limit(samples)
                        .mapToInt(index -> (int) index)
                        .toArray());
    }

    private static Largest largest(double[] extremes, long[] counts, int from) {
        return new Largest(extremes[from], (int) counts[from], extremes[from + 1], (int) counts[from + 1]);
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

    /** Look for elements that are no ordinary numbers. */
    public Specials specials() {
        long[] counts = new long[12];
        library.specials(expected, actual, counts);
        return new Specials(
                kind(counts, 0), kind(counts, 2), kind(counts, 4), kind(counts, 6), kind(counts, 8), kind(counts, 10));
    }

    private static Kind kind(long[] counts, int from) {
        return new Kind((int) counts[from], (int) counts[from + 1]);
    }

    /** Tell whether an expected element in [from, to) is a number, or closer to it than {@code reach}. */
    public boolean expects(int from, int to, double number, double reach) {
        return library.expects(expected, from, to, number, reach);
    }

    /**
     * Tell whether {@code factor * e + offset} explains every element that differs, {@code e} being the expected one: the element must be
     * that number, as close to it as rounding or the tolerance allows, and much closer than to the expected one. Integers must be it.
     */
    public boolean explains(double factor, double offset) {
        return library.explains(expected, actual, limits, factor, offset);
    }
}
