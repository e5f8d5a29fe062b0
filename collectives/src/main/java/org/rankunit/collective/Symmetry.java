package org.rankunit.collective;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;

/**
 * How the ranks of a call can be exchanged for each other without a change of their tasks.
 *
 * <p>Inputs and outputs with a part for each rank are moved with the ranks: all of an all-reduce and an all-to-all, the outputs of an
 * all-gather, the inputs of a reduce-scatter. Their parts must have equal sizes. Scratch memory is either moved in the same way or
 * used by each rank at the same place. What is declared is checked before it is used; a false declaration is a finding.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Symmetry {
    /** Nothing is known. */
    NONE,
    /** Rank r does what rank 0 does, with r added to every rank and every part of the data, modulo n. */
    CYCLIC,
    /** Rank r does what rank 0 does, with every rank and every part of the data XORed with r; n is a power of two. */
    XOR;

    /**
     * Get the rank that a rank becomes by the shift that makes {@code by} of rank 0; the rank itself if nothing is known.
     *
     * @since 0.1
     */
    public int moved(int rank, int by, int ranks) {
        return switch (this) {
            case NONE -> rank;
            case CYCLIC -> rank + by < ranks ? rank + by : rank + by - ranks;
            case XOR -> rank ^ by;
        };
    }

    /**
     * Get the shift that undoes one.
     *
     * @since 0.1
     */
    public int inverse(int by, int ranks) {
        return this == CYCLIC && by > 0 ? ranks - by : by;
    }
}
