package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;

/**
 * Converts between {@code float} and IEEE 754 binary16, whose bits a {@code short} holds.
 *
 * <p>Java has these conversions from release 20 on. The results are the same, including NaN payloads that fit.
 */
@API(status = INTERNAL, since = "0.1")
public final class Float16 {

    private static final int SIGN = 0x8000;
    private static final int INFINITY = 0x7c00;
    private static final int FRACTION = 0x03ff;
    private static final int QUIET = 0x0200;

    private static final int FLOAT_MAGNITUDE = 0x7fff_ffff;
    private static final int FLOAT_INFINITY = 0x7f80_0000;
    /** Bits of 65520, halfway between the largest finite binary16 and the next power of two: this rounds up. */
    private static final int FLOAT_OVERFLOW = 0x477f_f000;
    /** Bits of 2^-14, the smallest normal binary16. */
    private static final int FLOAT_SMALLEST_NORMAL = 0x3880_0000;

    private static final int DROPPED_BITS = 13;
    /** Difference between the exponent biases: 112, in the exponent bits of a float. */
    private static final int BIAS_DIFFERENCE = 0x3800_0000;

    private Float16() {}

    /** Round to the nearest binary16, ties to even; magnitudes from 65520 on become infinite. */
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> 16) & SIGN;
        int magnitude = bits & FLOAT_MAGNITUDE;
        if (magnitude > FLOAT_INFINITY) {
            int payload = (magnitude >>> DROPPED_BITS) & FRACTION;
            return (short) (sign | INFINITY | (payload == 0 ? QUIET : payload));
        }
        if (magnitude >= FLOAT_OVERFLOW) {
            return (short) (sign | INFINITY);
        }
        if (magnitude < FLOAT_SMALLEST_NORMAL) {
            // A subnormal counts multiples of 2^-24; scaling by a power of two is exact, rint breaks ties to even,
            // and rounding up to 1024 gives the bits of the smallest normal number.
            return (short) (sign | (int) Math.rint(Math.abs((double) value) * 0x1p24));
        }
        int lastKeptBit = (magnitude >>> DROPPED_BITS) & 1;
        int rounded = magnitude + 0xfff + lastKeptBit;
        return (short) (sign | ((rounded - BIAS_DIFFERENCE) >>> DROPPED_BITS));
    }

    /** Widen exactly. */
    public static float toFloat(short half) {
        int sign = (half & SIGN) << 16;
        int magnitude = half & 0x7fff;
        int widened = magnitude << DROPPED_BITS;
        if (magnitude >= INFINITY) {
            return Float.intBitsToFloat(sign | FLOAT_INFINITY | widened);
        }
        if (magnitude <= FRACTION) {
            float subnormal = magnitude * 0x1p-24f;
            return sign == 0 ? subnormal : -subnormal;
        }
        return Float.intBitsToFloat(sign | (widened + BIAS_DIFFERENCE));
    }
}
