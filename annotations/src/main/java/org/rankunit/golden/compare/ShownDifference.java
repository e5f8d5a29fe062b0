package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apiguardian.api.API;
import org.rankunit.DType;

/**
 * Format two finite elements, their difference and the allowed difference so that a reader can check the subtraction.
 *
 * <p>The shortest decimals of two elements may lie further apart, or closer together, than the elements do: {@code 64.1}
 * and {@code 64.4} are the {@code float16} 64.125 and 64.375. If that is visible, both get more decimal places, until
 * their difference is correct to a thousandth. The difference shown is then that of the numbers shown.
 */
@API(status = INTERNAL, since = "0.1")
public record ShownDifference(String expected, String actual, String difference, String allowed) {

    private static final BigDecimal A_THOUSANDTH = new BigDecimal("0.001");

    /** Differences up to this many units in the last place are also shown in those units. */
    private static final long FEW_ULPS = 16;

    /** Format element {@code index}; both sides and their difference must be finite. */
    public static ShownDifference of(Comparison comparison, int index) {
        String expected = comparison.expected().format(index);
        String actual = comparison.actual().format(index);
        BigDecimal ofTheShown = new BigDecimal(actual).subtract(new BigDecimal(expected));
        BigDecimal ofTheElements = new BigDecimal(comparison.actual().doubleAt(index))
                .subtract(new BigDecimal(comparison.expected().doubleAt(index)));
        if (Numbers.rounded(ofTheShown).compareTo(Numbers.rounded(ofTheElements)) != 0) {
            return withMorePlaces(comparison, index);
        }
        double difference = comparison.difference(index);
        double allowed = comparison.allowed(index);
        String text = Numbers.rounded(difference);
        boolean alike = text.equals(Numbers.rounded(allowed));
        return new ShownDifference(
                expected,
                actual,
                (alike ? Numbers.exact(difference) : text) + ulps(comparison, index),
                alike ? Numbers.exact(allowed) : Numbers.rounded(allowed));
    }

    private static ShownDifference withMorePlaces(Comparison comparison, int index) {
        BigDecimal expected = new BigDecimal(comparison.expected().doubleAt(index));
        BigDecimal actual = new BigDecimal(comparison.actual().doubleAt(index));
        BigDecimal difference = actual.subtract(expected).abs();
        boolean tooLarge = comparison.difference(index) > comparison.allowed(index);
        BigDecimal allowed = tooLarge ? new BigDecimal(comparison.allowed(index)) : new BigDecimal(-1);
        int all = Math.max(expected.scale(), actual.scale());
        int places = difference.scale() - difference.precision() + 1;
        while (places < all && !addsUp(rounded(expected, places), rounded(actual, places), difference, allowed)) {
            places++;
        }
        BigDecimal shown = rounded(actual, places).subtract(rounded(expected, places));
        return new ShownDifference(
                Numbers.decimal(rounded(expected, places)),
                Numbers.decimal(rounded(actual, places)),
                Numbers.decimal(shown.abs()) + ulps(comparison, index),
                Numbers.rounded(comparison.allowed(index)));
    }

    /** @param allowed what the difference shown has to exceed */
    private static boolean addsUp(BigDecimal expected, BigDecimal actual, BigDecimal difference, BigDecimal allowed) {
        BigDecimal shown = actual.subtract(expected).abs();
        BigDecimal error = shown.subtract(difference).abs();
        return error.compareTo(difference.multiply(A_THOUSANDTH)) <= 0 && shown.compareTo(allowed) > 0;
    }

    private static BigDecimal rounded(BigDecimal value, int places) {
        return value.setScale(places, RoundingMode.HALF_EVEN);
    }

    private static String ulps(Comparison comparison, int index) {
        DType type = comparison.expected().type();
        long ulps = Ulps.between(
                comparison.expected().doubleAt(index), comparison.actual().doubleAt(index), type);
        return Long.compareUnsigned(ulps, FEW_ULPS) <= 0 ? " = " + ulps + " ulp" : "";
    }
}
