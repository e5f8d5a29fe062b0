package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Samples;

/**
 * Every integer multiplied by the same integer, or divided by it without a remainder.
 *
 * @param divided whether the elements were divided
 */
record IntegerFactor(Comparison comparison, long factor, boolean divided) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        long wanted = comparison.expected().longAt(samples.middle());
        long found = comparison.actual().longAt(samples.middle());
        if (wanted == 0 || found == 0) {
            return Optional.empty();
        }
        boolean divided = Math.abs((double) found) < Math.abs((double) wanted);
        long factor = divided ? wanted / found : found / wanted;
        return Optional.<MismatchPattern>of(new IntegerFactor(comparison, factor, divided))
                .filter(each -> each.fits(samples));
    }

    @Override
    public int fitted() {
        return 1;
    }

    @Override
    public boolean predicts(int of, int index) {
        long wanted = comparison.expected().longAt(of);
        long found = comparison.actual().longAt(index);
        if (comparison.expected().type().isUnsigned() && (wanted | found) < 0) {
            return false; // A 64-bit value above the range of long.
        }
        return divided ? isProduct(wanted, found) : isProduct(found, wanted);
    }

    private boolean isProduct(long product, long element) {
        return product == element * factor && Math.multiplyHigh(element, factor) == product >> (Long.SIZE - 1);
    }

    @Override
    public Optional<Boolean> explainsAll() {
        return divided ? Optional.empty() : comparison.areExplainedBy((double) factor, 0);
    }

    @Override
    public String toString() {
        return "every differing element is expected " + (divided ? "/ " : "x ") + factor;
    }
}
