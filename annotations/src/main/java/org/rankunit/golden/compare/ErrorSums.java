package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.rankunit.Values;
import org.rankunit.internal.numbers.ExactSum;
import org.rankunit.internal.numbers.ProductSum;

/**
 * Sums over the errors of all elements that are finite on both sides, for the statistics of a criterion.
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
    private final ExactSum biases = new ExactSum();
    private final ProductSum squares = new ProductSum();
    private final ProductSum products = new ProductSum();
    private final ProductSum expectedSquares = new ProductSum();
    private final ProductSum actualSquares = new ProductSum();
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
        if (!Double.isFinite(expected) || !Double.isFinite(actual)) {
            return;
        }
        double error = Math.abs(actual - expected);
        double magnitude = Math.abs(expected);
        if (magnitude < small.threshold()) {
            smallErrors += error > small.error() ? 1 : 0;
            return;
        }
        double ratio = Math.abs(quotient(expected, actual, magnitude + NOT_ZERO));
        largestRelative = Math.max(largestRelative, ratio);
        relative += ratio;
        biases.add(quotient(expected, actual, Math.max(1, magnitude)));
        if (error < Double.POSITIVE_INFINITY) {
            squares.add(error, error);
        } else {
            double half = actual / 2 - expected / 2;
            squares.add(half, half, 2);
        }
        products.add(expected, actual);
        expectedSquares.add(expected, expected);
        actualSquares.add(actual, actual);
        count++;
    }

    /** {@code (actual - expected) / divisor}, also if the difference of the two is too large for a number. */
    private static double quotient(double expected, double actual, double divisor) {
        double error = actual - expected;
        return Double.isInfinite(error) ? actual / divisor - expected / divisor : error / divisor;
    }

    double of(Statistic statistic) {
        return switch (statistic) {
            case MARE -> largestRelative;
            case MERE -> meanRelative();
            case RMSE -> rootMeanSquare();
            case BIAS -> Math.abs(mean(biases.value()));
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
        return squares.rootOfMean(count);
    }

    public long smallErrors() {
        return smallErrors;
    }

    /** 1 for two arrays of zeros, and 0 if only one of them is. */
    private double cosine() {
        if (expectedSquares.isZero() || actualSquares.isZero()) {
            return expectedSquares.isZero() == actualSquares.isZero() ? 1 : 0;
        }
        return ProductSum.cosine(products, expectedSquares, actualSquares);
    }

    private double mean(double sum) {
        return count == 0 ? 0 : sum / count;
    }
}
