package org.rankunit.collective.call;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * What the ranks of a group compute together. Every rank has an input and an output; {@code count} is the number of elements
 * given in {@link CollectiveCall#count()}, n the number of ranks.
 *
 * <p>{@link #toString()} gives the name that messages and commands use, such as {@code all-gather}.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public enum Collective {

    /** Every output is the inputs of all ranks, one after the other. Rank r contributes {@code count(r)} elements. */
    ALL_GATHER,
    /** Inputs are reduced element by element; rank r gets part r of the result, {@code count(r)} elements. */
    REDUCE_SCATTER,
    /** Every output is the inputs of all ranks, {@code count} elements each, reduced element by element. */
    ALL_REDUCE,
    /** Every output is the root's input, {@code count} elements. */
    BROADCAST,
    /** The root's output is the inputs of all ranks, {@code count} elements each, reduced element by element. */
    REDUCE,
    /** Rank r gets part r of the root's input, {@code count(r)} elements. */
    SCATTER,
    /** The root's output is the inputs of all ranks, {@code count(r)} elements of rank r, one after the other. */
    GATHER,
    /** Part r of each rank's input goes to rank r; part s of the output came from rank s: {@code count(s, r)} elements. */
    ALL_TO_ALL,
    /**
     * Messages between pairs of ranks, as many as there are counts above 0: {@code count(s, r)} elements from rank s to rank r. Inputs
     * and outputs are those of {@link #ALL_TO_ALL}. Of one pair, it is a send and a receive; of several, HCCL's "batch send and receive".
     */
    SEND_RECV,
    /** No rank leaves before all have entered. There is no data. */
    BARRIER;

    /** Whether one rank has a part of its own. */
    public boolean hasRoot() {
        return this == BROADCAST || this == REDUCE || this == SCATTER || this == GATHER;
    }

    /** Whether inputs of several ranks become one output by a {@link Reduction}. */
    public boolean reduces() {
        return this == REDUCE_SCATTER || this == ALL_REDUCE || this == REDUCE;
    }

    /** Whether each rank may have its own number of elements. */
    public boolean hasCounts() {
        return this == ALL_GATHER || this == REDUCE_SCATTER || this == SCATTER || this == GATHER || hasCountsOfPairs();
    }

    /** Whether each pair of ranks has its own number of elements: {@code count(s, r)}. */
    public boolean hasCountsOfPairs() {
        return this == ALL_TO_ALL || this == SEND_RECV;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
