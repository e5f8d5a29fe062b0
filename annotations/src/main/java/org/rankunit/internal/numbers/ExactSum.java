package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * The sum of finite numbers, rounded once: large ones of opposite signs leave what is small. A sum that is too large for a number is an
 * infinity. Not thread-safe.
 *
 * <p>Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997: parts that do not overlap.
 */
@API(status = INTERNAL, since = "0.1")
public final class ExactSum {

    /** In ascending order of magnitude. */
    private double[] parts = new double[4];

    private int count;
    private double overflowed;

    /** Add a finite number. */
    public void add(double number) {
        double rest = number;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            double large = Math.abs(rest) < Math.abs(parts[i]) ? parts[i] : rest;
            double small = Math.abs(rest) < Math.abs(parts[i]) ? rest : parts[i];
            double sum = large + small;
            double lost = small - (sum - large);
            if (lost != 0) {
                parts[kept++] = lost;
            }
            rest = sum;
        }
        if (Double.isInfinite(rest)) {
            overflowed = rest;
            return;
        }
        if (kept == parts.length) {
            parts = Arrays.copyOf(parts, 2 * kept);
        }
        parts[kept++] = rest;
        count = kept;
    }

    /** The sum so far. */
    public double value() {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += parts[i];
        }
        return overflowed == 0 ? sum : overflowed;
    }
}
