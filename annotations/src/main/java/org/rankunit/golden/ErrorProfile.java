package org.rankunit.golden;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Extremes;

/** Collect how the errors of a failed comparison are distributed. */
final class ErrorProfile {

    /** The decades of all doubles lie above this one. */
    private static final int LOWEST_DECADE = -400;

    private final Comparison comparison;
    private final int[] decades = new int[2 * -LOWEST_DECADE];
    private final double[] largest;

    private ErrorProfile(Comparison comparison) {
        this.comparison = comparison;
        this.largest = new double
                [Math.min(GoldenErrors.MAX_PARTS, comparison.expected().count())];
    }

    /** Returns null for booleans. */
    static @Nullable GoldenErrors of(Comparison comparison) {
        return comparison.expected().type() == DType.BOOL ? null : new ErrorProfile(comparison).collected();
    }

    private GoldenErrors collected() {
        int count = comparison.expected().count();
        for (int i = 0; i < count; i++) {
            double error = error(i);
            if (error == 0) {
                continue;
            }
            int part = (int) ((long) i * largest.length / count);
            largest[part] = Math.max(largest[part], error);
            if (error < Double.POSITIVE_INFINITY) {
                decades[(int) Math.floor(Math.log10(error)) - LOWEST_DECADE]++;
            }
        }
        List<Double> profile = new ArrayList<>();
        Arrays.stream(largest).forEach(profile::add);
        return histogram(profile);
    }

    private GoldenErrors histogram(List<Double> profile) {
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
            histogram.add(decades[i]);
        }
        return new GoldenErrors(histogram.isEmpty() ? 0 : first + LOWEST_DECADE, histogram, profile);
    }

    /** The absolute error; infinite if one side has no number, or one that is not finite and differs. */
    private double error(int index) {
        if (!comparison.expected().type().isFloating()) {
            return Extremes.unsignedToDouble(comparison.distance(index));
        }
        double error = comparison.difference(index);
        if (!Double.isNaN(error)) {
            return error;
        }
        return comparison.differs(index) ? Double.POSITIVE_INFINITY : 0;
    }
}
