package org.rankunit.golden;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.golden.compare.Comparison;

/** Collect how the errors of a failed comparison are distributed. */
final class ErrorProfile {

    /** All errors lie above it. */
    private static final int LOWEST_DECADE = -324;

    private static final int HIGHEST_DECADE = 308;

    private ErrorProfile() {}

    /** Returns null for booleans. */
    static @Nullable GoldenErrors of(Comparison comparison) {
        return comparison.expected().type() == DType.BOOL ? null : collected(comparison);
    }

    private static GoldenErrors collected(Comparison comparison) {
        double[] powers = new double[HIGHEST_DECADE - LOWEST_DECADE + 1];
        for (int i = 0; i < powers.length; i++) {
            powers[i] = Double.parseDouble("1e" + (i + LOWEST_DECADE));
        }
        long[] decades = new long[powers.length];
        double[] largest = new double
                [Math.min(GoldenErrors.MAX_PARTS, comparison.expected().count())];
        comparison.profile(powers, decades, largest);
        return histogram(decades, Arrays.stream(largest).boxed().toList());
    }

    private static GoldenErrors histogram(long[] decades, List<Double> profile) {
        int first = 0;
        int last = decades.length - 1;
        while (first <= last && decades[first] == 0) {
            first++;
        }
        while (last > first && decades[last] == 0) {
            last--;
        }
        List<Integer> histogram = new ArrayList<>();
        for (int i = first; i <= last; i++) {
            histogram.add((int) decades[i]);
        }
        return new GoldenErrors(histogram.isEmpty() ? 0 : first + LOWEST_DECADE, histogram, profile);
    }
}
