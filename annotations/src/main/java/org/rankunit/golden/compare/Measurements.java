package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.compare.ArrayScan;

/** What one pass over an output found. */
@API(status = INTERNAL, since = "0.1")
public final class Measurements {

    private final Criteria criteria;
    private final int count;
    private final Extremes extremes = new Extremes();
    private final ErrorSums sums;
    private int mismatches;
    private int bitDifferences;
    private int nonFinite;
    private int beyondLimit;

    Measurements(Criteria criteria, int count) {
        this.criteria = criteria;
        this.count = count;
        this.sums = new ErrorSums(criteria.small());
    }

    /** Add an element of a floating type. */
    void add(int index, double expected, double actual, boolean sameBits, boolean differs) {
        if (criteria.needsSums()) {
            sums.add(expected, actual);
        }
        if (sameBits && !differs) {
            return;
        }
        bitDifferences += sameBits ? 0 : 1;
        boolean finite = Double.isFinite(expected) && Double.isFinite(actual);
        if (differs) {
            mismatches++;
            nonFinite += finite ? 0 : 1;
        }
        Closeness limit = criteria.limit();
        if (finite && limit != null && expected != actual && !limit.accepts(expected, actual)) {
            beyondLimit++;
        }
        extremes.add(index, Math.abs(actual - expected), Math.abs(expected));
    }

    /** Add all elements. */
    void add(ArrayScan.Result all) {
        mismatches += all.mismatches();
        bitDifferences += all.bitDifferences();
        nonFinite += all.nonFinite();
        extremes.set(all.largest());
    }

    /** Add an element of another type whose bits differ. */
    void addExact(int index, long distance, double expectedMagnitude, boolean differs) {
        bitDifferences++;
        mismatches += differs ? 1 : 0;
        extremes.addExact(index, distance, expectedMagnitude);
    }

    /** Whether the output satisfies the criteria. */
    public boolean passed() {
        return mismatches <= criteria.allowedMismatches(count)
                && nonFinite == 0
                && beyondLimit == 0
                && criteria.bounds().stream().allMatch(bound -> bound.holds(value(bound)));
    }

    /** The statistic that this bound limits. */
    public double value(Bound bound) {
        return sums.of(bound.statistic());
    }

    /** The largest differences of all elements, also of those within the tolerance. */
    public Extremes extremes() {
        return extremes;
    }

    /** Number of elements outside the tolerance. */
    public int mismatches() {
        return mismatches;
    }

    /** Number of elements whose bits differ. */
    public int bitDifferences() {
        return bitDifferences;
    }

    /** Number of elements outside the tolerance with NaN or an infinity on either side. */
    public int nonFinite() {
        return nonFinite;
    }

    /** Number of elements further away than any may be. */
    public int beyondLimit() {
        return beyondLimit;
    }

    /** The bounds, in the order of the criteria. */
    public List<Bound> bounds() {
        return criteria.bounds();
    }
}
