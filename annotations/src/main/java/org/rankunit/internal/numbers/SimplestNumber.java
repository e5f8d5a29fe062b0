package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Optional;
import java.util.function.DoublePredicate;
import org.apiguardian.api.API;

/** Guess the intended number from one with rounding errors. */
@API(status = INTERNAL, since = "0.1")
public final class SimplestNumber {

    private static final int[] DIGITS = {1, 2, 3, 6};

    private SimplestNumber() {}

    /** Find the number with the fewest digits that is near and fits; possibly the inexact number itself. */
    public static Optional<Double> near(double blurred, DoublePredicate fits) {
        if (Double.isNaN(blurred) || Double.isInfinite(blurred)) {
            return Optional.empty();
        }
        for (int digits : DIGITS) {
            double candidate =
                    new BigDecimal(blurred).round(new MathContext(digits)).doubleValue();
            if (fits.test(candidate)) {
                return Optional.of(candidate);
            }
        }
        return fits.test(blurred) ? Optional.of(blurred) : Optional.empty();
    }
}
