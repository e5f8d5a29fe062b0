package org.rankunit.golden.pattern;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.rankunit.Values;

/** The values that each rank should have, as a function of its number. */
@API(status = INTERNAL, since = "0.1")
public record RankValues(int self, int count, IntFunction<Values> expected) {

    Values of(int rank) {
        return expected.apply(rank);
    }
}
