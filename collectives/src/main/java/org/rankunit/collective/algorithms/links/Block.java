package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.Slice;

/**
 * The block of the largest power of two of ranks, and who is in it. If n is no power of two, each of the first ranks with an even
 * number stands for the next one too.
 *
 * <p>Source: HCCL's recursive halving and doubling.
 *
 * @param size of the block
 * @param folded ranks that another one stands for
 */
@API(status = INTERNAL, since = "0.1")
public record Block(int size, int folded) {

    public static Block of(int ranks) {
        int size = Integer.highestOneBit(ranks);
        return new Block(size, ranks - size);
    }

    public boolean isFolded(int rank) {
        return rank < 2 * folded && rank % 2 == 1;
    }

    public boolean standsForAnother(int rank) {
        return rank < 2 * folded && rank % 2 == 0;
    }

    /** The place of a rank in the block. */
    public int place(int rank) {
        return rank < 2 * folded ? rank / 2 : rank - folded;
    }

    /** The rank at a place of the block. */
    public int rank(int place) {
        return place < folded ? 2 * place : place + folded;
    }

    /**
     * Get the slices of the ranks that a place stands for, which lie one after the other.
     *
     * @param ofRanks the slice of each rank
     */
    public Slice slice(int place, IntFunction<Slice> ofRanks) {
        Slice own = ofRanks.apply(rank(place));
        return place < folded
                ? new Slice(own.from(), ofRanks.apply(rank(place) + 1).end() - own.from())
                : own;
    }

    /** Links to the partners of a rank, and to the one that it stands for or that stands for it. */
    public Resources resources(int rank, Partners partners) {
        if (isFolded(rank)) {
            return Resources.onMainStream(List.of(rank - 1));
        }
        List<Integer> links = new ArrayList<>();
        for (int step = 0; 1 << step < size; step++) {
            links.add(rank(partners.of(place(rank), step)));
        }
        if (standsForAnother(rank)) {
            links.add(rank + 1);
        }
        return Resources.onMainStream(links);
    }
}
