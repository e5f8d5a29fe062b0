package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Samples;

/** A matrix whose elements were stored column by column. */
record Transposed(Comparison comparison, int rows, int columns) implements MismatchPattern {

    /** @param shape the extents of the output */
    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, int[] shape) {
        return shape.length == 2 && shape[0] > 1 && shape[1] > 1
                ? Optional.<MismatchPattern>of(new Transposed(comparison, shape[0], shape[1]))
                        .filter(each -> each.fits(samples))
                : Optional.empty();
    }

    @Override
    public boolean predicts(int of, int index) {
        int row = of % rows;
        int column = of / rows;
        return comparison.isExplainedBy(comparison.expected(), row * columns + column, index);
    }

    @Override
    public String toString() {
        return "every differing element is that of the transposed matrix: the " + rows + " x " + columns
                + " elements are stored column by column";
    }
}
