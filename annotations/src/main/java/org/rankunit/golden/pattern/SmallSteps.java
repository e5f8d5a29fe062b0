package org.rankunit.golden.pattern;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.rankunit.DType;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Ulps;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Samples;

/**
 * Elements of a floating type that are a few steps off, some above and some below: as another order of summation would give, among
 * others. A hint, and no explanation.
 *
 * @param text how many elements are so many steps off
 */
record SmallSteps(Comparison comparison, String text) implements MismatchPattern {

    private static final Set<DType> TYPES = Set.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT32, DType.FLOAT64);

    /** More are not called small. */
    private static final long MAX = 16;

    /** With fewer elements, both signs say little. */
    private static final int ENOUGH = 16;

    static Optional<MismatchPattern> in(Comparison comparison, Samples samples, Mismatches mismatches) {
        if (!TYPES.contains(comparison.expected().type()) || mismatches.count() < ENOUGH) {
            return Optional.empty();
        }
        int above = samples.count(index ->
                comparison.actual().doubleAt(index) > comparison.expected().doubleAt(index));
        boolean bothWays = 4 * above >= samples.size() && 4 * above <= 3 * samples.size();
        return bothWays
                ? Optional.<MismatchPattern>of(new SmallSteps(comparison, text(comparison, samples, mismatches)))
                        .filter(each -> each.fits(samples))
                : Optional.empty();
    }

    private static String text(Comparison comparison, Samples samples, Mismatches mismatches) {
        long[] steps = Arrays.stream(samples.indices())
                .mapToLong(index -> steps(comparison, index, index))
                .sorted()
                .toArray();
        long few = steps[steps.length / 8];
        long many = steps[steps.length - 1 - steps.length / 8];
        return mismatches.count() + " elements, mostly by " + (few == many ? "" : few + " to ") + many
                + " ulp: as another order of summation would give";
    }

    /** From an expected element to an actual one; more than any allowed number if one is no finite number. */
    private static long steps(Comparison comparison, int of, int index) {
        double expected = comparison.expected().doubleAt(of);
        double actual = comparison.actual().doubleAt(index);
        return Double.isFinite(expected) && Double.isFinite(actual)
                ? Ulps.between(expected, actual, comparison.expected().type())
                : Long.MAX_VALUE;
    }

    @Override
    public boolean predicts(int of, int index) {
        return Long.compareUnsigned(steps(comparison, of, index), MAX) <= 0;
    }

    @Override
    public String label() {
        return "rounding";
    }

    @Override
    public String toString() {
        return text;
    }
}
