package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.Values;

/**
 * Sums over the errors of all elements that are finite on both sides, for the statistics of a standard.
 *
 * <p>A relative error is {@code |actual - expected| / (|expected| + 1e-7)}, as in the Ascend operator precision standards.
 */
@API(status = INTERNAL, since = "0.1")
public final class ErrorSums {

    /** Keeps the relative error of an expected 0 finite. */
    private static final double NOT_ZERO = 1e-7;

    private final SmallValues small;
    private long count;
    private double largestRelative;
    private double relative;
    private double squares;
    private double biases;
    private double products;
    private double expectedSquares;
    private double actualSquares;
    private long smallErrors;

    ErrorSums(SmallValues small) {
        this.small = small;
    }

    /** Compare two arrays of a floating type and of the same count. */
    public static ErrorSums of(Values expected, Values actual, SmallValues small) {
        ErrorSums sums = new ErrorSums(small);
        for (int i = 0; i < expected.count(); i++) {
            sums.add(expected.doubleAt(i), actual.doubleAt(i));
        }
        return sums;
    }

    void add(double expected, double actual) {
        double error = Math.abs(actual - expected);
        if (Double.isNaN(error) || Double.isInfinite(error)) {
            return;
        }
        double magnitude = Math.abs(expected);
        if (magnitude < small.threshold()) {
            smallErrors += error > small.error() ? 1 : 0;
            return;
        }
        double ratio = error / (magnitude + NOT_ZERO);
        largestRelative = Math.max(largestRelative, ratio);
        relative += ratio;
        squares += error * error;
        biases += (actual - expected) / Math.max(1, magnitude);
        products += expected * actual;
        expectedSquares += expected * expected;
        actualSquares += actual * actual;
        count++;
    }

    double of(Statistic statistic) {
        return switch (statistic) {
            case MARE -> largestRelative;
            case MERE -> meanRelative();
            case RMSE -> rootMeanSquare();
            case BIAS -> Math.abs(mean(biases));
            case COSINE -> cosine();
            case SMALL_ERRORS -> smallErrors;
        };
    }

    public double largestRelative() {
        return largestRelative;
    }

    public double meanRelative() {
        return mean(relative);
    }

    public double rootMeanSquare() {
        return Math.sqrt(mean(squares));
    }

    public long smallErrors() {
        return smallErrors;
    }

    /** 1 for two arrays of zeros, and 0 if only one of them is. */
    private double cosine() {
        if (expectedSquares == 0 || actualSquares == 0) {
            return expectedSquares == actualSquares ? 1 : 0;
        }
        return products / (Math.sqrt(expectedSquares) * Math.sqrt(actualSquares));
    }

    private double mean(double sum) {
        return count == 0 ? 0 : sum / count;
    }
}
