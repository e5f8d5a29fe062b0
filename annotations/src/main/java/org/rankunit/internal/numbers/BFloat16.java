package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/** Converts between {@code float} and bfloat16, the upper 16 bits of a float, which a {@code short} holds. */
@API(status = INTERNAL, since = "0.1")
public final class BFloat16 {

    private static final int QUIET = 0x0040;

    private BFloat16() {}

    /** Round to the nearest bfloat16, ties to even; values beyond the largest become infinite. */
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int upper = bits >>> 16;
        if (Float.isNaN(value)) {
            boolean payloadIsLost = (upper & 0x7f) == 0;
            return (short) (payloadIsLost ? upper | QUIET : upper);
        }
        int lastKeptBit = upper & 1;
        return (short) ((bits + 0x7fff + lastKeptBit) >>> 16);
    }

    /** Widen exactly. */
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }
}
