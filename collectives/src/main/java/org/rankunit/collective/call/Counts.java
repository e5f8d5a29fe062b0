package org.rankunit.collective.call;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of elements that know their sums: algorithms ask again and again where the part of a rank begins, and all-to-alls have a number
 * for each pair of ranks. Immutable.
 */
final class Counts extends AbstractList<Long> implements RandomAccess {

    private static final Counts NONE = new Counts(List.of());

    /** The sum of the numbers before each one, and that of all at the end. */
    private final long[] before;

    private final boolean hasNegative;

    /** As {@link #before}, from sender to sender to the same receiver; null until it is first needed. */
    private volatile long @Nullable [] beforeOfReceivers;

    private Counts(List<Long> counts) {
        this.before = new long[counts.size() + 1];
        boolean negative = false;
        int next = 0;
        for (long count : counts) {
            negative |= count < 0;
            before[next + 1] = negative ? before[next] + count : sum(before[next], count);
            next++;
        }
        this.hasNegative = negative;
    }

    private static long sum(long before, long count) {
        if (count > Long.MAX_VALUE - before) {
            throw new IllegalArgumentException("counts: all together are more than " + Long.MAX_VALUE + " elements");
        }
        return before + count;
    }

    static Counts copyOf(List<Long> counts) {
        if (counts instanceof Counts known) {
            return known;
        }
        return counts.isEmpty() ? NONE : new Counts(counts);
    }

    @Override
    public Long get(int index) {
        return at(index);
    }

    long at(int index) {
        return before[index + 1] - before[index];
    }

    @Override
    public int size() {
        return before.length - 1;
    }

    boolean hasNegative() {
        return hasNegative;
    }

    long all() {
        return before[before.length - 1];
    }

    /** The sum of some numbers, one after the other. */
    long sum(int from, int end) {
        return before[end] - before[from];
    }

    /** Of the numbers of pairs: how many elements a rank gets from those before the sender. */
    long received(int sender, int receiver, int ranks) {
        long[] known = beforeOfReceivers;
        if (known == null) {
            known = new long[size()];
            for (int pair = ranks; pair < known.length; pair++) {
                known[pair] = known[pair - ranks] + at(pair - ranks);
            }
            beforeOfReceivers = known;
        }
        return known[sender * ranks + receiver];
    }
}
