package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Numbers;
import org.rankunit.golden.mismatch.Samples;
import org.rankunit.internal.numbers.SimplestNumber;

/** Every element of a floating type multiplied by the same number. */
record ConstantFactor(Comparison comparison, double factor) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        // The ratio of the sums averages out the rounding of each element.
        double blurred = samples.sum(comparison, (wanted, found) -> found * Math.signum(wanted))
                / samples.sum(comparison, (wanted, found) -> Math.abs(wanted));
        double part = 1 / Math.rint(1 / blurred);
        ConstantFactor ofAPart = new ConstantFactor(comparison, part);
        if (Math.abs(part) < 1 && ofAPart.fits(samples)) {
            return Optional.of(ofAPart);
        }
        return SimplestNumber.near(blurred, factor -> new ConstantFactor(comparison, factor).fits(samples))
                .map(factor -> new ConstantFactor(comparison, factor));
    }

    @Override
    public boolean predicts(int of, int index) {
        return comparison.isExplainedBy(comparison.expected().doubleAt(of) * factor, index);
    }

    @Override
    public int fitted() {
        return 1;
    }

    @Override
    public Optional<Boolean> explainsAll() {
        return comparison.areExplainedBy(factor, 0);
    }

    @Override
    public String toString() {
        String rounded = Numbers.rounded(factor);
        double divisor = Math.rint(1 / factor);
        boolean ofAPart = !rounded.equals(Numbers.exact(factor)) && factor == 1 / divisor;
        return "every differing element is expected " + (ofAPart ? "/ " + (long) divisor : "x " + rounded);
    }
}
