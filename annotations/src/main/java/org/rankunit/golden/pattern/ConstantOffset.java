package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Numbers;
import org.rankunit.golden.mismatch.Samples;
import org.rankunit.internal.numbers.SimplestNumber;

/** The same number added to every element of a floating type. */
record ConstantOffset(Comparison comparison, double offset) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        // The mean averages out the rounding of each element.
        double blurred = samples.sum(comparison, (wanted, found) -> found - wanted)
                / samples.sum(comparison, (wanted, found) -> 1);
        return SimplestNumber.near(blurred, offset -> new ConstantOffset(comparison, offset).fits(samples))
                .map(offset -> new ConstantOffset(comparison, offset));
    }

    @Override
    public boolean predicts(int of, int index) {
        return comparison.isExplainedBy(comparison.expected().doubleAt(of) + offset, index);
    }

    @Override
    public int fitted() {
        return 1;
    }

    @Override
    public Optional<Boolean> explainsAll() {
        return comparison.areExplainedBy(1, offset);
    }

    @Override
    public String toString() {
        return "every differing element is expected " + (offset < 0 ? "- " : "+ ") + Numbers.rounded(Math.abs(offset));
    }
}
