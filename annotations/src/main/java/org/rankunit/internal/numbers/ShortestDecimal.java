package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.function.ToDoubleFunction;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Formats a floating-point element as the shortest decimal that reads back as the same element of its type.
 *
 * <p>The notation is that of {@link Double#toString(double)}; for {@code float} and {@code double} the text is what JDK
 * 19 and later produce, on every JDK. A binary16 or bfloat16 is written with the digits that its own precision needs:
 * {@code 0.1}, not {@code 0.099975586}.
 */
@API(status = INTERNAL, since = "0.1")
public final class ShortestDecimal {

    private static final int FIRST_PLAIN_EXPONENT = -3;
    private static final int LAST_PLAIN_EXPONENT = 6;

    private ShortestDecimal() {}

    /** Format a value that a binary16 holds exactly. */
    public static String ofFloat16(double value) {
        return of(value, text -> Float16.toFloat(Float16.fromFloat(Float.parseFloat(text))));
    }

    /** Format a value that a bfloat16 holds exactly. */
    public static String ofBFloat16(double value) {
        return of(value, text -> BFloat16.toFloat(BFloat16.fromFloat(Float.parseFloat(text))));
    }

    /** Format a value that a format of 8 bits holds exactly. */
    public static String ofFloat8(double value, Float8 format) {
        return of(value, text -> format.toFloat(format.fromFloat(Float.parseFloat(text))));
    }

    /** Format a value that a {@code float} holds exactly. */
    public static String ofFloat(double value) {
        return of(value, Float::parseFloat);
    }

    /** Format a value. */
    public static String ofDouble(double value) {
        return of(value, Double::parseDouble);
    }

    private static String of(double value, ToDoubleFunction<String> reader) {
        if (Double.isNaN(value) || Double.isInfinite(value) || value == 0) {
            return Double.toString(value);
        }
        double magnitude = Math.abs(value);
        BigDecimal exact = new BigDecimal(magnitude);
        // Two digits are always written, so the second may as well bring the text closer to the value.
        int digits = 2;
        @Nullable BigDecimal shortest = closest(exact, digits, magnitude, reader);
        while (shortest == null) {
            digits++;
            shortest = closest(exact, digits, magnitude, reader);
        }
        String text = notation(shortest.stripTrailingZeros());
        return value < 0 ? "-" + text : text;
    }

    /**
     * Returns, of the decimals with this many digits that read back, the one closest to the value; null if there is
     * none.
     */
    private static @Nullable BigDecimal closest(
            BigDecimal exact, int digits, double magnitude, ToDoubleFunction<String> reader) {
        BigDecimal below = exact.round(new MathContext(digits, RoundingMode.DOWN));
        BigDecimal above = exact.round(new MathContext(digits, RoundingMode.UP));
        boolean belowFits = readsBack(below, magnitude, reader);
        boolean aboveFits = readsBack(above, magnitude, reader);
        if (belowFits && aboveFits) {
            return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
        }
        if (belowFits) {
            return below;
        }
        return aboveFits ? above : null;
    }

    private static boolean readsBack(BigDecimal candidate, double magnitude, ToDoubleFunction<String> reader) {
        return reader.applyAsDouble(candidate.toString()) == magnitude;
    }

    private static String notation(BigDecimal stripped) {
        int exponent = stripped.precision() - stripped.scale() - 1;
        if (exponent >= FIRST_PLAIN_EXPONENT && exponent <= LAST_PLAIN_EXPONENT) {
            return stripped.setScale(Math.max(1, stripped.scale()), RoundingMode.UNNECESSARY)
                    .toPlainString();
        }
        String digits = stripped.unscaledValue().toString();
        String fraction = digits.length() == 1 ? "0" : digits.substring(1);
        return digits.charAt(0) + "." + fraction + "E" + exponent;
    }
}
