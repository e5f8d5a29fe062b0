package org.rankunit.coll.verify.symmetry;

import org.rankunit.coll.Symmetry;

/**
 * The exchanges of ranks of a symmetry. There is one for each rank, which makes it of rank 0.
 *
 * @param symmetry cyclic or by XOR; with XOR, the number of ranks is a power of two
 */
record Shifts(Symmetry symmetry, int ranks) {

    /** The rank that a rank becomes by the shift that makes {@code by} of rank 0. */
    int on(int rank, int by) {
        if (symmetry == Symmetry.XOR) {
            return rank ^ by;
        }
        int sum = rank + by;
        return sum < ranks ? sum : sum - ranks;
    }

    /** The rank that becomes this one by the shift that makes {@code by} of rank 0. */
    int back(int rank, int by) {
        if (symmetry == Symmetry.XOR) {
            return rank ^ by;
        }
        int difference = rank - by;
        return difference >= 0 ? difference : difference + ranks;
    }

    /** The shift that undoes one. */
    int inverse(int by) {
        return back(0, by);
    }
}
