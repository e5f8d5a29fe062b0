package org.rankunit.golden;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.rankunit.DType;
import org.rankunit.Values;

/** Compare two arrays of the same type and count, and measure how far they are from each other. */
final class Comparison {

    /** How much closer than the expected element an explanation must be, where rounding accounts for the rest. */
    private static final int ROUNDED = 8;

    /** The same where the tolerance does. */
    private static final int TOLERATED = 64;

    private final Values expected;
    private final Values actual;
    private final Tolerance tolerance;
    private final DType type;

    Comparison(Values expected, Values actual, Tolerance tolerance) {
        this.expected = expected;
        this.actual = actual;
        this.tolerance = tolerance;
        this.type = expected.type();
    }

    Values expected() {
        return expected;
    }

    Values actual() {
        return actual;
    }

    Tolerance tolerance() {
        return tolerance;
    }

    /** Tell whether the element is outside the tolerance. */
    boolean differs(int index) {
        return type.isFloating()
                ? !tolerance.accepts(expected.doubleAt(index), actual.doubleAt(index))
                : expected.longAt(index) != actual.longAt(index);
    }

    /** Compare every element. Passing tests go through here and no further, so this is what has to be fast. */
    GoldenSummary summarize(String name) {
        Extremes extremes = new Extremes();
        int mismatches = type.isFloating() ? compareFloating(extremes) : compareExact(extremes);
        return new GoldenSummary(
                name,
                type,
                expected.count(),
                mismatches,
                extremes.absolute,
                extremes.absoluteIndex,
                extremes.relative,
                extremes.relativeIndex,
                tolerance.rtol(),
                tolerance.atol(),
                samples(mismatches));
    }

    /** The first elements that differ; costs nothing where none does. */
    private List<GoldenSample> samples(int mismatches) {
        int wanted = Math.min(mismatches, GoldenSummary.MAX_SAMPLES);
        List<GoldenSample> samples = new ArrayList<>(wanted);
        for (int i = 0; samples.size() < wanted; i++) {
            if (differs(i)) {
                double difference = type.isFloating() ? difference(i) : Extremes.unsignedToDouble(distance(i));
                samples.add(new GoldenSample(i, expected.format(i), actual.format(i), difference));
            }
        }
        return samples;
    }

    private int compareFloating(Extremes extremes) {
        int mismatches = 0;
        int count = expected.count();
        for (int i = 0; i < count; i++) {
            double wanted = expected.doubleAt(i);
            double found = actual.doubleAt(i);
            if (wanted == found) {
                continue;
            }
            if (!tolerance.accepts(wanted, found)) {
                mismatches++;
            }
            extremes.add(i, Math.abs(found - wanted), Math.abs(wanted));
        }
        return mismatches;
    }

    private int compareExact(Extremes extremes) {
        int mismatches = 0;
        int count = expected.count();
        for (int i = 0; i < count; i++) {
            if (expected.longAt(i) != actual.longAt(i)) {
                mismatches++;
                extremes.addExact(i, distance(i), magnitude(i));
            }
        }
        return mismatches;
    }

    /** Tell roughly which expected elements may explain this one: cheaply, for a search through all of them. */
    IntPredicate candidatesFor(int index) {
        if (!type.isFloating()) {
            long found = actual.longAt(index);
            return source -> expected.longAt(source) == found;
        }
        double found = actual.doubleAt(index);
        double reach = difference(index) / ROUNDED;
        return source -> {
            double candidate = expected.doubleAt(source);
            return candidate == found || Math.abs(candidate - found) < reach;
        };
    }

    /** Tell whether this element, which differs, is what {@code source} holds at {@code sourceIndex}. */
    boolean isExplainedBy(Values source, int sourceIndex, int index) {
        return type.isFloating()
                ? isExplainedBy(source.doubleAt(sourceIndex), index)
                : actual.longAt(index) == source.longAt(sourceIndex);
    }

    /**
     * Tell whether this floating element, which differs, is what {@code predicted} gives in its type: as near as rounding
     * or the tolerance allows, and so much nearer than the expected element that it is no accident.
     */
    boolean isExplainedBy(double predicted, int index) {
        double found = actual.doubleAt(index);
        if (found == predicted) {
            return true;
        }
        double residual = Math.abs(found - predicted);
        double difference = difference(index);
        if (!(ROUNDED * residual < difference)) {
            return false;
        }
        // Both what was expected and what was found had half a step at most rounded away, of the larger of their steps.
        double step = Ulps.size(Math.max(Math.abs(predicted), Math.abs(expected.doubleAt(index))), type);
        return residual <= 2 * step || (TOLERATED * residual < difference && residual <= tolerance.allowed(predicted));
    }

    /** Absolute difference of a floating element; NaN if either side is. */
    double difference(int index) {
        return Math.abs(actual.doubleAt(index) - expected.doubleAt(index));
    }

    /** Difference up to which a floating element is accepted. */
    double allowed(int index) {
        return tolerance.allowed(expected.doubleAt(index));
    }

    /**
     * Absolute difference of an exact element, as an unsigned number. That of two 64-bit integers, signed or not, always
     * fits: subtracting the smaller from the larger wraps around to the right bits.
     */
    long distance(int index) {
        long wanted = expected.longAt(index);
        long found = actual.longAt(index);
        boolean above = type.isUnsigned() ? Long.compareUnsigned(found, wanted) > 0 : found > wanted;
        return above ? found - wanted : wanted - found;
    }

    /** Magnitude of an exact expected element. */
    private double magnitude(int index) {
        long wanted = expected.longAt(index);
        return type.isUnsigned() ? Extremes.unsignedToDouble(wanted) : Math.abs((double) wanted);
    }
}
