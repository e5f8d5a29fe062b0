package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.ArrayScan;

/** Compare two arrays of the same type and count, and measure how far they are from each other. */
@API(status = INTERNAL, since = "0.1")
public final class Comparison {

    /** How many times closer than the expected element an explanation must be if rounding accounts for the rest. */
    private static final int ROUNDED = 8;

    /** How many times closer an explanation must be if the tolerance accounts for the rest. */
    private static final int TOLERATED = 64;

    /** How many parts of an output a profile of errors has at most. */
    public static final int PROFILE_PARTS = 64;

    /** All errors lie above the first. */
    public static final int LOWEST_DECADE = -324;

    private static final int HIGHEST_DECADE = 308;

    private static final double[] POWERS = IntStream.rangeClosed(LOWEST_DECADE, HIGHEST_DECADE)
            .mapToDouble(power -> Double.parseDouble("1e" + power))
            .toArray();

    /** Elements that are looked at together, to see whether their bits differ. */
    private static final int PART = 4096;

    private final Values expected;
    private final Values actual;
    private final Criteria criteria;
    private final DType type;
    private final Optional<Scans> scan;

    public Comparison(Values expected, Values actual, Criteria criteria) {
        this(expected, actual, criteria, Scans.of(expected, actual, criteria));
    }

    private Comparison(Values expected, Values actual, Criteria criteria, Optional<Scans> scan) {
        this.expected = expected;
        this.actual = actual;
        this.criteria = criteria;
        this.type = expected.type();
        this.scan = scan;
    }

    /** Compare without native code; for tests. */
    static Comparison inJava(Values expected, Values actual, Criteria criteria) {
        return new Comparison(expected, actual, criteria, Optional.empty());
    }

    public Values expected() {
        return expected;
    }

    public Values actual() {
        return actual;
    }

    public Criteria criteria() {
        return criteria;
    }

    public Tolerance tolerance() {
        return criteria.tolerance();
    }

    /** Tell whether the element is outside the tolerance. */
    public boolean differs(int index) {
        return type.isFloating()
                ? differs(index, expected.doubleAt(index), actual.doubleAt(index))
                : differsExactly(index);
    }

    private boolean differs(int index, double wanted, double found) {
        Tolerance tolerance = criteria.tolerance();
        if (tolerance.bits()) {
            return expected.bitsAt(index) != actual.bitsAt(index);
        }
        return !tolerance.accepts(wanted, found) && !criteria.isAsThirdParty(index, found);
    }

    private boolean differsExactly(int index) {
        return expected.longAt(index) != actual.longAt(index)
                && Long.compareUnsigned(
                                distance(index),
                                criteria.tolerance().closeness().allowedSteps())
                        > 0;
    }

    /** Compare every element. A passing test runs only this, so it must be fast. */
    public Measurements measure() {
        int count = expected.count();
        Measurements found = new Measurements(criteria, count);
        if (scan.isPresent()) {
            found.add(scan.get().result());
        } else if (type.isFloating() && !criteria.tolerance().bits()) {
            measure(0, count, found);
        } else {
            for (int from = 0; from < count; from += PART) {
                int to = Math.min(from + PART, count);
                if (criteria.needsSums() || !expected.sameBits(actual, from, to - from)) {
                    measure(from, to, found);
                }
            }
        }
        return found;
    }

    private void measure(int from, int to, Measurements measurements) {
        for (int i = from; i < to; i++) {
            if (type.isFloating()) {
                double wanted = expected.doubleAt(i);
                double found = actual.doubleAt(i);
                measurements.add(i, wanted, found, expected.bitsAt(i) == actual.bitsAt(i), differs(i, wanted, found));
            } else if (expected.longAt(i) != actual.longAt(i)) {
                measurements.addExact(i, distance(i), magnitude(i), differsExactly(i));
            }
        }
    }

    /** Call back with the index of each element that differs, in ascending order from {@code first} on, until that returns false. */
    public void forEachDifference(int first, IntPredicate goesOn) {
        if (scan.isPresent()) {
            scan.get().forEachDifference(first, goesOn);
            return;
        }
        for (int i = first; i < expected.count(); i++) {
            if (differs(i) && !goesOn.test(i)) {
                return;
            }
        }
    }

    /** What native code has found, if it has compared the two. */
    public Optional<ArrayScan.Result> scanned() {
        return scan.map(Scans::result);
    }

    /**
     * Show how the errors of a wrong output are distributed: by powers of ten, from 10<sup>{@value #LOWEST_DECADE}</sup> on, and by parts
     * of the output. An error is infinite if one side has no number, or one that is not finite and differs.
     */
    public ArrayScan.Profile profile() {
        return scan.isPresent() ? scan.get().profile() : profiled();
    }

    private ArrayScan.Profile profiled() {
        int count = expected.count();
        ArrayScan.Profile profile = emptyProfile(count);
        double[] largest = profile.largest();
        for (int i = 0; i < count; i++) {
            double error = error(i);
            int part = (int) ((long) i * largest.length / count);
            largest[part] = Math.max(largest[part], error);
            if (error > 0 && error < Double.POSITIVE_INFINITY) {
                int found = Arrays.binarySearch(POWERS, error);
                profile.decades()[found >= 0 ? found : -found - 2]++;
            }
        }
        return profile;
    }

    static ArrayScan.Profile emptyProfile(int count) {
        return new ArrayScan.Profile(POWERS, new long[POWERS.length], new double[Math.min(PROFILE_PARTS, count)]);
    }

    private double error(int index) {
        if (!type.isFloating()) {
            return Extremes.unsignedToDouble(distance(index));
        }
        double error = difference(index);
        if (!Double.isNaN(error)) {
            return error;
        }
        return differs(index) ? Double.POSITIVE_INFINITY : 0;
    }

    /** Look for elements of a floating type that are no ordinary numbers. */
    public ArrayScan.Specials specials() {
        return scan.isPresent() ? scan.get().specials() : specialsInJava();
    }

    private ArrayScan.Specials specialsInJava() {
        ArrayScan.Kind[] kinds = new ArrayScan.Kind[6];
        Arrays.fill(kinds, ArrayScan.Kind.none());
        for (int i = 0; i < expected.count(); i++) {
            double wanted = expected.doubleAt(i);
            double found = actual.doubleAt(i);
            boolean finite = Double.isFinite(found);
            kinds[0] = kinds[0].with(i, Double.isNaN(found));
            kinds[1] = kinds[1].with(i, Double.isNaN(wanted));
            kinds[2] = kinds[2].with(i, Double.isNaN(wanted) && Double.isNaN(found));
            kinds[3] = kinds[3].with(i, Double.isNaN(wanted) && finite);
            kinds[4] = kinds[4].with(i, Double.isInfinite(wanted) && finite);
            kinds[5] = kinds[5].with(i, wanted == found && Double.compare(wanted, found) != 0);
        }
        return new ArrayScan.Specials(kinds[0], kinds[1], kinds[2], kinds[3], kinds[4], kinds[5]);
    }

    /** A rough, cheap filter for the expected elements that may explain this one, for a search through all of them. */
    public IntPredicate candidatesFor(int index) {
        if (!type.isFloating()) {
            long found = actual.longAt(index);
            return source -> expected.longAt(source) == found;
        }
        double found = actual.doubleAt(index);
        double reach = reach(index);
        return source -> {
            double candidate = expected.doubleAt(source);
            return candidate == found || Math.abs(candidate - found) < reach;
        };
    }

    /** Tell quickly that no expected element in [from, to) is one of {@link #candidatesFor(int)}; returns false where it cannot. */
    public boolean hasNoCandidates(int index, int from, int to) {
        if (scan.isEmpty()) {
            return false;
        }
        return type.isFloating()
                ? !scan.get().expects(from, to, actual.doubleAt(index), reach(index))
                : !scan.get().expects(from, to, (double) actual.longAt(index), 0);
    }

    private double reach(int index) {
        return difference(index) / ROUNDED;
    }

    /** Tell whether this element is outside the tolerance of another expected element. */
    public boolean differs(int expectedIndex, int index) {
        if (!type.isFloating()) {
            return expected.longAt(expectedIndex) != actual.longAt(index);
        }
        return criteria.tolerance().bits()
                ? expected.bitsAt(expectedIndex) != actual.bitsAt(index)
                : !criteria.tolerance().accepts(expected.doubleAt(expectedIndex), actual.doubleAt(index));
    }

    /** Tell whether this element is a number; where bits are compared, with the same sign if it is 0. */
    public boolean isEqual(double number, int index) {
        double found = actual.doubleAt(index);
        return found == number && (!criteria.tolerance().bits() || Double.compare(found, number) == 0);
    }

    /** Tell whether this differing element is what {@code source} holds at {@code sourceIndex}. */
    public boolean isExplainedBy(Values source, int sourceIndex, int index) {
        if (criteria.tolerance().bits() && source.type() == type) {
            return source.bitsAt(sourceIndex) == actual.bitsAt(index);
        }
        return type.isFloating()
                ? isExplainedBy(source.doubleAt(sourceIndex), index)
                : actual.longAt(index) == source.longAt(sourceIndex);
    }

    /**
     * Tell whether this differing floating element matches {@code predicted}: it must be as close as rounding or the
     * tolerance allows, and so much closer than the expected element that it cannot be a coincidence.
     */
    public boolean isExplainedBy(double predicted, int index) {
        double found = actual.doubleAt(index);
        if (found == predicted) {
            return isEqual(predicted, index);
        }
        double residual = Math.abs(found - predicted);
        double difference = difference(index);
        if (!(ROUNDED * residual < difference)) {
            return false;
        }
        // Rounding changed the expected and the actual element by at most half a step each, of the larger of their
        // steps.
        double step = Ulps.size(Math.max(Math.abs(predicted), Math.abs(expected.doubleAt(index))), type);
        return residual <= 2 * step
                || (TOLERATED * residual < difference && residual <= tolerance().allowed(predicted));
    }

    /**
     * Tell whether {@code factor * e + offset} explains every differing element in the sense of {@link #isExplainedBy(double, int)},
     * {@code e} being the expected element; integers must be that number. Empty if that is to be asked of each element.
     */
    public Optional<Boolean> areExplainedBy(double factor, double offset) {
        return scan.flatMap(each -> each.explains(factor, offset));
    }

    /** Absolute difference of a floating element; NaN if either side is NaN. */
    public double difference(int index) {
        return Math.abs(actual.doubleAt(index) - expected.doubleAt(index));
    }

    /** Difference up to which a floating element is accepted. */
    public double allowed(int index) {
        return tolerance().allowed(expected.doubleAt(index));
    }

    /**
     * Absolute difference of an exact element, as an unsigned number. The difference of two 64-bit integers, signed or
     * not, always fits: subtracting the smaller from the larger wraps around to the right bits.
     */
    public long distance(int index) {
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
