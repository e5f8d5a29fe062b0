package org.rankunit.golden;

/** Keep the largest differences met so far, the first of equal ones, and where they were. */
final class Extremes {

    double absolute;
    int absoluteIndex = -1;
    double relative;
    int relativeIndex = -1;
    private long exactAbsolute;

    /** Take a difference; NaN is larger than nothing, so it leaves no trace. */
    void add(int index, double difference, double expectedMagnitude) {
        if (difference > absolute) {
            absolute = difference;
            absoluteIndex = index;
        }
        addRelative(index, difference, expectedMagnitude);
    }

    /** Take a difference of integers, as an unsigned number: two that are the same {@code double} are told apart. */
    void addExact(int index, long difference, double expectedMagnitude) {
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

    /** Round an unsigned number to the nearest double. */
    static double unsignedToDouble(long unsigned) {
        // Halving would lose the last bit; kept sticky, it still decides which way to round.
        return unsigned >= 0 ? unsigned : ((unsigned >>> 1) | (unsigned & 1)) * 2.0;
    }
}
