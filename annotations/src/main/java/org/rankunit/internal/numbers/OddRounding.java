package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.List;
import org.apiguardian.api.API;

/**
 * Rounding to odd, for numbers that are rounded once more: a number that is not exact gets the neighbor towards 0 or away from it whose last bit
 * is 1. It then is on the same side of each number with two digits less, and of what is halfway between two of these, so that
 * rounding it to nearest gives what rounding the exact number does.
 */
@API(status = INTERNAL, since = "0.1")
public final class OddRounding {

    private OddRounding() {}

    /** Narrow a number. NaN and infinities stay what they are. */
    public static float toFloat(double value) {
        float nearest = (float) value;
        if (nearest == value || Double.isNaN(value)) {
            return nearest;
        }
        boolean isBeyond = Math.abs(nearest) > Math.abs(value);
        return Float.intBitsToFloat((Float.floatToRawIntBits(nearest) - (isBeyond ? 1 : 0)) | 1);
    }

    /** Add up finite numbers without rounding (Shewchuk), and round the sum. No partial sum may be too large for a {@code double}. */
    public static double sum(List<Double> values) {
        double[] parts = new double[values.size()];
        int count = 0;
        for (double value : values) {
            double larger = value;
            int kept = 0;
            for (int i = 0; i < count; i++) {
                double sum = larger + parts[i];
                double small = Math.abs(larger) < Math.abs(parts[i]) ? larger : parts[i];
                double large = Math.abs(larger) < Math.abs(parts[i]) ? parts[i] : larger;
                double lost = small - (sum - large);
                if (lost != 0) {
                    parts[kept++] = lost;
                }
                larger = sum;
            }
            if (larger != 0) {
                parts[kept++] = larger;
            }
            count = kept;
        }
        // The largest part is the sum, rounded to nearest; the next one has the sign of what is missing.
        double nearest = count == 0 ? 0 : parts[count - 1];
        if (count < 2) {
            return nearest;
        }
        boolean isBeyond = (parts[count - 2] < 0) == (nearest > 0);
        return Double.longBitsToDouble((Double.doubleToRawLongBits(nearest) - (isBeyond ? 1 : 0)) | 1);
    }
}
