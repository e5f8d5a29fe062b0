package org.rankunit.golden;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.compare.ArrayScan;
import org.rankunit.golden.compare.Comparison;

/** Collect how the errors of a failed comparison are distributed. */
final class ErrorProfile {

    private ErrorProfile() {}

    /** Returns null for booleans. */
    static @Nullable GoldenErrors of(Comparison comparison) {
        return comparison.expected().type() == DType.BOOL ? null : collected(comparison);
    }

    private static GoldenErrors collected(Comparison comparison) {
        ArrayScan.Profile profile = comparison.profile();
        return histogram(
                profile.decades(), Arrays.stream(profile.largest()).boxed().toList());
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
        return new GoldenErrors(histogram.isEmpty() ? 0 : first + Comparison.LOWEST_DECADE, histogram, profile);
    }
}
