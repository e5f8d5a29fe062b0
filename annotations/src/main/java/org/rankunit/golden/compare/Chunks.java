package org.rankunit.golden.compare;

import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Skips parts of two arrays that need no look at each element: all elements are finite and within the tolerance, and none is
 * further off than one that was seen before.
 *
 * <p>The sums are in {@code float}, in loops that Java's compiler turns into vector instructions. They are inexact, so that bounds
 * are taken a little narrower than they are: a part is skipped only if it certainly may be. Not thread-safe.
 */
final class Chunks {

    /** Elements; both sides of a part lie in the first-level cache. */
    static final int SIZE = 2048;

    /** More than the error of all roundings together. */
    private static final double NARROWER = 1 - 0x1p-18;

    private static final int SIGNLESS = 0x7fffffff;
    private static final int INFINITE = 0x7f800000;

    private final Values expected;
    private final Values actual;
    private final Criteria criteria;
    private final float rtol;
    private final float atol;
    private final float floor;
    private final float[] wanted = new float[SIZE];
    private final float[] found = new float[SIZE];

    Chunks(Values expected, Values actual, Criteria criteria) {
        this.expected = expected;
        this.actual = actual;
        this.criteria = criteria;
        Closeness closeness = criteria.tolerance().closeness();
        Closeness.Within within =
                closeness instanceof Closeness.Within numbers ? numbers : new Closeness.Within(0, 0, 0);
        this.rtol = below(within.rtol());
        this.atol = below(within.atol());
        this.floor = below(within.floor());
    }

    private static float below(double bound) {
        return (float) Math.min(Float.MAX_VALUE, bound * NARROWER);
    }

    /** Whether single elements may be left out, too. */
    boolean looksAtNumbers() {
        return criteria.tolerance().closeness() instanceof Closeness.Within;
    }

    /** Whether parts of arrays of this type may be skipped by these criteria. */
    static boolean applyTo(DType type, Criteria criteria) {
        boolean narrow = type == DType.FLOAT16 || type == DType.BFLOAT16 || type == DType.FLOAT32;
        return narrow && !criteria.needsSums() && criteria.thirdParty() == null;
    }

    /** Whether the {@link #SIZE} elements from here on may be skipped; adds those whose bits differ to the measurements. */
    boolean skip(int from, Measurements measurements) {
        boolean sameBits = expected.sameBits(actual, from, SIZE);
        if (sameBits && criteria.tolerance().bits()) {
            return true;
        }
        expected.copyFloats(from, wanted);
        if (sameBits && !hasNan()) {
            return true;
        }
        actual.copyFloats(from, found);
        if (!(criteria.tolerance().closeness() instanceof Closeness.Within)) {
            return false;
        }
        Extremes extremes = measurements.extremes();
        boolean isWithin = isWithin(below(extremes.absolute()), below(extremes.relative()));
        if (isWithin) {
            measurements.addBitDifferences(differentBits());
        }
        return isWithin;
    }

    /**
     * Whether all elements are within the tolerance and no further off than these. NaN, which also comes of two infinities, makes
     * this false.
     */
    private boolean isWithin(float absolute, float relative) {
        float mostExcess = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < SIZE; i++) {
            float difference = Math.abs(found[i] - wanted[i]);
            float magnitude = Math.abs(wanted[i]);
            float allowed =
                    Math.min(atol + rtol * Math.max(floor, magnitude), Math.min(absolute, relative * magnitude));
            mostExcess = Math.max(mostExcess, difference - allowed);
        }
        return mostExcess <= 0;
    }

    /**
     * Whether one element of the part that was not skipped may be left out: {@code index} counts from the start of the part. The
     * measurements get it if its bits differ.
     */
    boolean skipOne(int index, Measurements measurements) {
        float one = wanted[index];
        float other = found[index];
        float difference = Math.abs(other - one);
        float magnitude = Math.abs(one);
        Extremes extremes = measurements.extremes();
        boolean isWithin = difference <= atol + rtol * Math.max(floor, magnitude)
                && difference <= below(extremes.absolute())
                && difference <= below(extremes.relative()) * magnitude;
        if (isWithin && Float.floatToRawIntBits(one) != Float.floatToRawIntBits(other)) {
            measurements.addBitDifferences(1);
        }
        return isWithin;
    }

    private boolean hasNan() {
        int most = 0;
        for (int i = 0; i < SIZE; i++) {
            most = Math.max(most, Float.floatToRawIntBits(wanted[i]) & SIGNLESS);
        }
        return most > INFINITE;
    }

    private int differentBits() {
        int different = 0;
        for (int i = 0; i < SIZE; i++) {
            int bits = Float.floatToRawIntBits(wanted[i]) ^ Float.floatToRawIntBits(found[i]);
            different += (bits | -bits) >>> 31;
        }
        return different;
    }
}
