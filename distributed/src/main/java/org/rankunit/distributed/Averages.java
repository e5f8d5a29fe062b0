package org.rankunit.distributed;

import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.device.Device;

/** Makes averages of sums. */
final class Averages {

    private Averages() {}

    static void requireAverages(DType type) {
        if (!type.isFloating()) {
            throw new IllegalArgumentException(
                    "AVG of " + type + ": only floating types have averages; use SUM, and divide as you need");
        }
    }

    /** Divide elements in device memory. */
    static void divide(Device device, long address, DType type, int count, int divisor) {
        byte[] bytes = new byte[Math.multiplyExact(count, type.byteSize())];
        device.copyOut(address, bytes, 0, bytes.length);
        device.copyIn(address, divided(Values.decode(type, bytes), divisor).encode(), 0, bytes.length);
    }

    /**
     * Divide elements; each quotient is rounded once, to nearest, ties to even.
     *
     * @param divisor at most 64, the most members there are
     */
    static Values divided(Values sums, int divisor) {
        double[] quotients = new double[sums.count()];
        for (int i = 0; i < quotients.length; i++) {
            quotients[i] = sums.doubleAt(i) / divisor;
        }
        if (sums.type() == DType.FLOAT64) {
            return Values.float64(quotients);
        }
        // Rounded on the way to a double and to a float, too, but only once in effect: a quotient by such a small
        // number is either the
        // middle between two elements or so far from it that these do not move it there.
        float[] floats = new float[quotients.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) quotients[i];
        }
        return sums.type() == DType.FLOAT32 ? Values.float32(floats) : Values.rounded(sums.type(), floats);
    }
}
