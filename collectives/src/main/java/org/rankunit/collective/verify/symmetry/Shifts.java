package org.rankunit.collective.verify.symmetry;

import org.rankunit.collective.Symmetry;

/**
 * The exchanges of ranks of a symmetry. There is one for each rank, which makes it of rank 0.
 *
 * @param symmetry cyclic or by XOR; with XOR, the number of ranks is a power of two
 */
record Shifts(Symmetry symmetry, int ranks) {

    /** The rank that a rank becomes by the shift that makes {@code by} of rank 0. */
    int on(int rank, int by) {
        return symmetry.moved(rank, by, ranks);
    }

    /** The rank that becomes this one by the shift that makes {@code by} of rank 0. */
    int back(int rank, int by) {
        return on(rank, inverse(by));
    }

    /** The shift that undoes one. */
    int inverse(int by) {
        return symmetry.inverse(by, ranks);
    }
}
