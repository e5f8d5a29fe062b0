package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.rankunit.Values;

/**
 * The values that each rank should have, as a function of its number, and those that it was given.
 *
 * @param self this rank
 * @param count number of ranks
 */
@API(status = INTERNAL, since = "0.1")
public record RankValues(int self, int count, IntFunction<Values> expected, List<Input> inputs) {

    public RankValues {
        inputs = List.copyOf(inputs);
    }

    /** An input of all ranks. */
    public record Input(String name, IntFunction<Values> values) {}

    public RankValues(int self, int count, IntFunction<Values> expected) {
        this(self, count, expected, List.of());
    }

    /** Copy this with one more input. */
    public RankValues with(Input input) {
        List<Input> all = new ArrayList<>(inputs);
        all.add(input);
        return new RankValues(self, count, expected, all);
    }

    public Values of(int rank) {
        return expected.apply(rank);
    }
}
