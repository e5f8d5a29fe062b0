package org.example;

/** Ranks in a circle. */
public final class Ring {

    private Ring() {}

    public static int next(int rank, int ranks) {
        if (rank < 0) {
            throw new IllegalArgumentException("rank " + rank);
        }
        return (rank + 1) % ranks;
    }
}
