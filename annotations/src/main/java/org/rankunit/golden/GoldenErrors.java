package org.rankunit.golden;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.io.Serializable;
import java.util.List;
import org.apiguardian.api.API;
import org.rankunit.golden.compare.Comparison;

/**
 * Show how the errors of an output are distributed, for charts.
 *
 * @param firstDecade the exponent of the first decade of the histogram: {@code -3} if it counts the errors in [0.001, 0.01)
 * @param histogram number of elements whose absolute error is in each decade, the smallest first; finite errors above 0 only
 * @param profile the largest absolute error in each of up to {@value #MAX_PARTS} equal parts of the output, in order of the
 *     index; infinite where NaN or an infinity stands on one side only
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public record GoldenErrors(int firstDecade, List<Integer> histogram, List<Double> profile) implements Serializable {

    /** Maximum number of parts. */
    public static final int MAX_PARTS = Comparison.PROFILE_PARTS;

    public GoldenErrors {
        histogram = List.copyOf(histogram);
        profile = List.copyOf(profile);
    }
}
