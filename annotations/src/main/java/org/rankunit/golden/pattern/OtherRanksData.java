package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;

/** The data of another rank: it was sent, read or computed with the wrong rank number. */
record OtherRanksData(Comparison comparison, Values theirs, int rank) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, RankValues ranks) {
        for (int rank = 0; rank < ranks.count(); rank++) {
            if (rank != ranks.self()) {
                MismatchPattern pattern = new OtherRanksData(comparison, ranks.of(rank), rank);
                if (samples.fit(pattern)) {
                    return Optional.of(pattern);
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean explains(int index) {
        return theirs.type() == comparison.expected().type()
                && index < theirs.count()
                && comparison.isExplainedBy(theirs, index, index);
    }

    @Override
    public String toString() {
        return "every differing element is what rank " + rank + " should have";
    }
}
