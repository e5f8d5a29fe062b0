package org.rankunit.golden.pattern;

import java.util.BitSet;
import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Samples;

/**
 * Two blocks of as many columns of a matrix that have changed places.
 *
 * @param columns number of columns of the matrix
 */
record SwappedColumns(Comparison comparison, int columns, int first, int second, int size) implements MismatchPattern {

    /** Differing elements that show which columns differ. */
    private static final int ENOUGH = 1 << 16;

    /** @param shape the extents of the output */
    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, Mismatches mismatches, int[] shape) {
        if (shape.length != 2 || shape[1] < 2) {
            return Optional.empty();
        }
        BitSet differing = differing(comparison, mismatches, shape[1]);
        // A column differs if and only if its partner does, so each block has half of them.
        int first = differing.nextSetBit(0);
        int second =
                differing.stream().skip(differing.cardinality() / 2).findFirst().orElse(first);
        int size = differing.length() - second;
        return first + size > second
                ? Optional.empty()
                : Optional.<MismatchPattern>of(new SwappedColumns(comparison, shape[1], first, second, size))
                        .filter(each -> each.fits(samples));
    }

    private static BitSet differing(Comparison comparison, Mismatches mismatches, int columns) {
        BitSet differing = new BitSet(columns);
        int[] left = {Math.max(ENOUGH, columns)};
        comparison.forEachDifference(mismatches.first(), index -> {
            differing.set(index % columns);
            return --left[0] > 0;
        });
        return differing;
    }

    @Override
    public boolean predicts(int of, int index) {
        int column = of % columns;
        boolean isFirst = column < second;
        int within = column - (isFirst ? first : second);
        int partner = isFirst ? of + (second - first) : of - (second - first);
        return within >= 0 && within < size && comparison.isExplainedBy(comparison.expected(), partner, index);
    }

    /** All pairs of columns. */
    @Override
    public int tried() {
        return (int) Math.min(Integer.MAX_VALUE, (long) columns * columns);
    }

    @Override
    public String toString() {
        return SwappedBlocks.text("columns ", first, size) + " and " + SwappedBlocks.text("", second, size)
                + " are swapped";
    }
}
