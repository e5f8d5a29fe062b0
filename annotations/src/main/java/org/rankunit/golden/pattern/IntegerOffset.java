package org.rankunit.golden.pattern;

import java.util.Optional;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.mismatch.Samples;

/** The same integer added to every element; a 64-bit sum may overflow and wrap around. */
record IntegerOffset(Comparison comparison, long offset) implements MismatchPattern {

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples) {
        int index = samples.middle();
        long offset = comparison.actual().longAt(index) - comparison.expected().longAt(index);
        return Optional.<MismatchPattern>of(new IntegerOffset(comparison, offset))
                .filter(each -> each.fits(samples));
    }

    @Override
    public boolean predicts(int of, int index) {
        return comparison.actual().longAt(index) == comparison.expected().longAt(of) + offset;
    }

    @Override
    public int fitted() {
        return 1;
    }

    @Override
    public Optional<Boolean> explainsAll() {
        return comparison.areExplainedBy(1, (double) offset);
    }

    @Override
    public String toString() {
        return "every differing element is expected " + (offset < 0 ? "- " : "+ ")
                + Long.toUnsignedString(Math.abs(offset));
    }
}
