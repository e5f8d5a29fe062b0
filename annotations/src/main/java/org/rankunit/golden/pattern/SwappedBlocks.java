package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;

/** Two blocks of the same size that have changed places. */
record SwappedBlocks(Comparison comparison, int first, int second, int size) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, Mismatches mismatches) {
        if (mismatches.count() % 2 != 0) {
            return Optional.empty();
        }
        // An element differs if and only if its partner does, so each block holds half of the mismatches.
        int first = mismatches.first();
        int second = mismatches.nth(mismatches.count() / 2);
        int size = mismatches.last() + 1 - second;
        return Optional.<MismatchPattern>of(new SwappedBlocks(comparison, first, second, size))
                .filter(samples::fit);
    }

    @Override
    public boolean explains(int index) {
        int partner = index < second ? index + (second - first) : index - (second - first);
        return index - (index < second ? first : second) < size
                && comparison.isExplainedBy(comparison.expected(), partner, index);
    }

    @Override
    public String toString() {
        return size == 1
                ? "[" + first + "] and [" + second + "] are swapped"
                : "[" + first + ", " + (first + size) + ") and [" + second + ", " + (second + size) + ") are swapped";
    }
}
