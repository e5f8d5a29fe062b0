package org.rankunit.engine.check.order;

import java.util.function.IntPredicate;

/** Searches in chains, whose events come one after the other. Stateless. */
public final class Prefix {

    private Prefix() {}

    /** The first index from which on something does not hold that holds for all before it, or {@code to} if it holds for all. */
    public static int end(int from, int to, IntPredicate holds) {
        int low = from;
        int high = to;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (holds.test(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
