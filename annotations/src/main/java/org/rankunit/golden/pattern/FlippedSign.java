package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.DType;
import org.rankunit.golden.compare.Comparison;

/** Every element has the opposite sign. */
record FlippedSign(Comparison comparison) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        return comparison.expected().type().isUnsigned()
                ? Optional.empty()
                : Optional.<MismatchPattern>of(new FlippedSign(comparison)).filter(samples::fit);
    }

    @Override
    public boolean explains(int index) {
        DType type = comparison.expected().type();
        return type.isFloating()
                ? comparison.isExplainedBy(-comparison.expected().doubleAt(index), index)
                : comparison.actual().longAt(index) == -comparison.expected().longAt(index);
    }

    @Override
    public String toString() {
        return "every differing element has the other sign";
    }
}
