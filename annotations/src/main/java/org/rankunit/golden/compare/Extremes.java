package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.compare.ArrayScan;

/** Keep the largest differences seen so far and their indices; of equal differences, the first. */
@API(status = INTERNAL, since = "0.1")
public final class Extremes {

    private double absolute;
    private int absoluteIndex = -1;
    private double relative;
    private int relativeIndex = -1;
    private long exactAbsolute;

    /** Replace all. */
    public void set(ArrayScan.Largest largest) {
        absolute = largest.absolute();
        absoluteIndex = largest.absoluteIndex();
        relative = largest.relative();
        relativeIndex = largest.relativeIndex();
    }

    /** Add a difference. NaN is ignored, since it never compares as larger. */
    public void add(int index, double difference, double expectedMagnitude) {
        if (difference > absolute) {
            absolute = difference;
            absoluteIndex = index;
        }
        addRelative(index, difference, expectedMagnitude);
    }

    /** Add a difference of integers, as an unsigned number, so that two that round to the same {@code double} differ. */
    public void addExact(int index, long difference, double expectedMagnitude) {
        double rounded = unsignedToDouble(difference);
        if (Long.compareUnsigned(difference, exactAbsolute) > 0) {
            exactAbsolute = difference;
            absolute = rounded;
            absoluteIndex = index;
        }
        addRelative(index, rounded, expectedMagnitude);
    }

    private void addRelative(int index, double difference, double expectedMagnitude) {
        // An expected 0 or infinity has no relative difference.
        if (expectedMagnitude == 0 || Double.isInfinite(expectedMagnitude)) {
            return;
        }
        double ratio = difference / expectedMagnitude;
        if (ratio > relative) {
            relative = ratio;
            relativeIndex = index;
        }
    }

    /** The largest difference; 0 if there is none. */
    public double absolute() {
        return absolute;
    }

    /** Its index; -1 if there is none. */
    public int absoluteIndex() {
        return absoluteIndex;
    }

    /** The largest relative difference; 0 if there is none. */
    public double relative() {
        return relative;
    }

    /** Its index; -1 if there is none. */
    public int relativeIndex() {
        return relativeIndex;
    }

    /** Round an unsigned number to the nearest double. */
    public static double unsignedToDouble(long unsigned) {
        // Halving would lose the last bit, so it is kept as a sticky bit: it still decides which way to round.
        return unsigned >= 0 ? unsigned : ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    }
}
