package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.RankValues;

/**
 * The data of another rank, which was sent, read or computed with the wrong rank number, or an input, with which nothing was done.
 *
 * @param whose what the data is, for messages
 */
record OtherRanksData(Comparison comparison, Values theirs, String whose, int tried) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, RankValues ranks) {
        for (int rank = 0; rank < ranks.count(); rank++) {
            if (rank != ranks.self()) {
                MismatchPattern pattern = new OtherRanksData(
                        comparison, ranks.of(rank), "what rank " + rank + " should have", tried(ranks));
                if (samples.fit(pattern)) {
                    return Optional.of(pattern);
                }
            }
        }
        return inputIn(comparison, samples, ranks);
    }

    private static Optional<MismatchPattern> inputIn(Comparison comparison, Samples samples, RankValues ranks) {
        for (RankValues.Input input : ranks.inputs()) {
            for (int rank = 0; rank < ranks.count(); rank++) {
                MismatchPattern pattern = new OtherRanksData(
                        comparison,
                        input.values().apply(rank),
                        "the input '" + input.name() + "' of rank " + rank,
                        tried(ranks));
                if (samples.fit(pattern)) {
                    return Optional.of(pattern);
                }
            }
        }
        return Optional.empty();
    }

    private static int tried(RankValues ranks) {
        return ranks.count() * (1 + ranks.inputs().size());
    }

    @Override
    public boolean predicts(int of, int index) {
        return theirs.type() == comparison.expected().type()
                && of < theirs.count()
                && comparison.isExplainedBy(theirs, of, index);
    }

    @Override
    public String toString() {
        return "every differing element is " + whose;
    }
}
