package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.math.MathContext;
import org.apiguardian.api.API;
import org.rankunit.Values;

/** Format measured numbers for a reader, the same in every locale. */
@API(status = INTERNAL, since = "0.1")
public final class Numbers {

    /** Enough digits to see what went wrong and few enough to read; a printed difference is not computed with. */
    private static final MathContext READABLE = new MathContext(6);

    private Numbers() {}

    /** Format with up to six significant digits. */
    public static String rounded(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return exact(value);
        }
        return exact(rounded(new BigDecimal(value)).doubleValue());
    }

    /** Round to six significant digits. */
    static BigDecimal rounded(BigDecimal value) {
        return value.round(READABLE);
    }

    /** Format without trailing zeros, but with one decimal place if there is neither a fraction nor an exponent. */
    static String decimal(BigDecimal value) {
        BigDecimal stripped = value.stripTrailingZeros();
        boolean whole = value.scale() >= 0 && stripped.scale() <= 0;
        return (whole ? stripped.setScale(1) : stripped).toString().replace("E+", "E");
    }

    /** Format with all digits needed to distinguish this number from its neighbours. */
    public static String exact(double value) {
        return Values.float64(value).format(0);
    }

    /** Format a part that is neither 0 nor the whole as a percentage with one decimal, never rounded to 0 % or 100 %. */
    public static String percent(int part, int whole) {
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
