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
        // Rounded on the way to a double, too, but only once in effect: a quotient by such a small number is either the
        // middle between two elements or so far from it that this does not move it there.
        return Values.rounded(sums.type(), quotients);
    }
}
