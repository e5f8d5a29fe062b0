package org.rankunit.golden;

import java.math.BigDecimal;
import java.math.MathContext;
import org.rankunit.Values;

/** Write measured numbers for a reader, the same in every locale. */
final class Numbers {

    /** Enough to see what went wrong, few enough to read; a difference is no result to compute with. */
    private static final MathContext READABLE = new MathContext(6);

    private Numbers() {}

    /** Write with up to six significant digits. */
    static String rounded(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return exact(value);
        }
        return exact(rounded(new BigDecimal(value)).doubleValue());
    }

    /** Keep up to six significant digits. */
    static BigDecimal rounded(BigDecimal value) {
        return value.round(READABLE);
    }

    /** Write without zeros at the end, but with one decimal place where there is neither a fraction nor an exponent. */
    static String decimal(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        boolean whole = value.scale() >= 0 && stripped.scale() <= 0;
        return (whole ? stripped.setScale(1) : stripped).toString().replace("E+", "E");
    }

    /** Write with all digits that tell this number from its neighbours. */
    static String exact(double value) {
        return Values.float64(value).format(0);
    }

    /** Write a proper part of a whole, in percent with one decimal that is never rounded to none or to all. */
    static String percent(int part, int whole) {
        long tenths = Math.round(1000.0 * part / whole);
        if (tenths == 0) {
            return "< 0.1 %";
        }
        if (tenths == 1000) {
            return "> 99.9 %";
        }
        return tenths / 10 + "." + tenths % 10 + " %";
    }
}
