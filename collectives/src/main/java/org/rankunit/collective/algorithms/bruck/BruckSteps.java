package org.rankunit.collective.algorithms.bruck;

/**
 * In which steps blocks travel. A block has a distance to go, from 1 to n - 1, and goes in the steps of its bits.
 *
 * @param n ranks
 */
record BruckSteps(int n) {

    /** Whether a block goes in the step of this bit. */
    boolean goes(int distance, int bit) {
        return (distance & bit) != 0;
    }

    /** Whether the step of this bit is the first one of a block. */
    boolean begins(int distance, int bit) {
        return Integer.lowestOneBit(distance) == bit;
    }

    /** Whether the step of this bit is the last one of a block. */
    boolean ends(int distance, int bit) {
        return Integer.highestOneBit(distance) == bit;
    }

    /** Blocks of a rank that go in the step of this bit. */
    int inStep(int bit) {
        int period = 2 * bit;
        return (n / period * bit) + Math.max(0, (n % period) - bit);
    }

    /** The largest of these numbers, which is that of the first step. */
    int mostInOneStep() {
        return n / 2;
    }

    /** Blocks with a smaller distance than this one that go more than once: all but those of powers of two. */
    int waiting(int distance) {
        int smaller = distance - 1;
        return smaller - (Integer.SIZE - Integer.numberOfLeadingZeros(smaller));
    }
}
