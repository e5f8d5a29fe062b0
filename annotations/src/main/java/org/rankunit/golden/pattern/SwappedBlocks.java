package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Samples;

/**
 * Two blocks of the same size that have changed places.
 *
 * @param row number of elements of a row if the output is a matrix; otherwise 0
 */
record SwappedBlocks(Comparison comparison, int first, int second, int size, int row) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, Mismatches mismatches, int[] shape) {
        if (mismatches.count() % 2 != 0) {
            return Optional.empty();
        }
        // An element differs if and only if its partner does, so each block holds half of the mismatches.
        int first = mismatches.first();
        int second = mismatches.nth(mismatches.count() / 2);
        int size = mismatches.last() + 1 - second;
        return Optional.<MismatchPattern>of(
                        new SwappedBlocks(comparison, first, second, size, shape.length == 2 ? shape[1] : 0))
                .filter(each -> each.fits(samples));
    }

    @Override
    public boolean predicts(int of, int index) {
        int partner = of < second ? of + (second - first) : of - (second - first);
        return of >= first
                && of - (of < second ? first : second) < size
                && comparison.isExplainedBy(comparison.expected(), partner, index);
    }

    @Override
    public String toString() {
        if (row > 0 && first % row == 0 && second % row == 0 && size % row == 0) {
            return text("rows ", first / row, size / row) + " and " + text("", second / row, size / row)
                    + " are swapped";
        }
        return size == 1
                ? "[" + first + "] and [" + second + "] are swapped"
                : "[" + first + ", " + (first + size) + ") and [" + second + ", " + (second + size) + ") are swapped";
    }

    static String text(String what, int from, int count) {
        return what + (count == 1 ? from : "[" + from + ", " + (from + count) + ")");
    }
}
