package org.rankunit.golden;

import java.util.function.IntFunction;
import org.rankunit.Values;

/** The values that each rank should have, as a function of its number. */
record RankValues(int self, int count, IntFunction<Values> expected) {

    Values of(int rank) {
        return expected.apply(rank);
    }
}
