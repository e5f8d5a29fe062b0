package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * A floating-point format of 8 bits: converts between {@code float} and its codes. The highest bit of a code is the sign, and the
 * others are the magnitude. Instances are immutable.
 */
@API(status = INTERNAL, since = "0.1")
public final class Float8 {

    /**
     * 4 bits of exponent with bias 7, 3 of fraction; no infinities, and only the magnitude 0x7f is NaN. Larger values become NaN, as
     * in PyTorch and JAX. Source: OCP 8-bit Floating Point Specification 1.0.
     */
    public static final Float8 E4M3FN = new Float8(Float8::e4m3fn, false, 464, Float.NaN);

    /**
     * 5 bits of exponent with bias 15, 2 of fraction, and the special values of IEEE 754. Source: OCP 8-bit Floating Point
     * Specification 1.0.
     */
    public static final Float8 E5M2 = new Float8(Float8::e5m2, false, 61440, Float.POSITIVE_INFINITY);

    /**
     * HiFloat8: a prefix says how many bits the exponent has, so that numbers near 1 have more digits than others. One zero, one NaN
     * and two infinities. Source: "Ascend HiFloat8 Format for Deep Learning", arXiv 2409.16626; halves are rounded away from zero.
     */
    public static final Float8 HIFLOAT8 = new Float8(Float8::hifloat8, true, 40960, Float.POSITIVE_INFINITY);

    private static final int SIGN = 0x80;
    private static final int CODES = 0x80;

    /** The value of each code without sign. */
    private final float[] magnitudes = new float[CODES];

    /** The finite magnitudes in ascending order, and the code of each. */
    private final float[] sorted;

    private final byte[] codes;
    private final boolean hasOneZero;
    private final float overflow;
    private final byte beyond;
    private final byte nan;

    /**
     * Make a format.
     *
     * @param hasOneZero whether the code with the sign alone is NaN instead of a negative zero, and halves are rounded away from zero
     *     instead of to even codes
     * @param overflow the magnitude from which on, or above which if halves are rounded to even, numbers become {@code large}
     * @param large infinity or NaN
     */
    private Float8(MagnitudeOf magnitude, boolean hasOneZero, float overflow, float large) {
        int[] finite = new int[CODES];
        int count = 0;
        int infinite = 0;
        int notANumber = 0x7f;
        for (int code = 0; code < CODES; code++) {
            magnitudes[code] = magnitude.of(code);
            if (Float.isInfinite(magnitudes[code])) {
                infinite = code;
            } else if (!Float.isNaN(magnitudes[code])) {
                finite[count++] = code;
            }
        }
        Integer[] order = Arrays.stream(finite, 0, count).boxed().toArray(Integer[]::new);
        Arrays.sort(order, (a, b) -> Float.compare(magnitudes[a], magnitudes[b]));
        sorted = new float[count];
        codes = new byte[count];
        for (int i = 0; i < count; i++) {
            sorted[i] = magnitudes[order[i]];
            codes[i] = order[i].byteValue();
        }
        this.hasOneZero = hasOneZero;
        this.overflow = overflow;
        this.nan = (byte) (hasOneZero ? SIGN : notANumber);
        this.beyond = Float.isNaN(large) ? nan : (byte) infinite;
    }

    /** Gives the value of a code without its sign. */
    private interface MagnitudeOf {
        float of(int code);
    }

    private static float e4m3fn(int code) {
        return code == 0x7f ? Float.NaN : ieee(code >> 3, code & 7, 3, 7);
    }

    private static float e5m2(int code) {
        int fraction = code & 3;
        if (code >> 2 == 0x1f) {
            return fraction == 0 ? Float.POSITIVE_INFINITY : Float.NaN;
        }
        return ieee(code >> 2, fraction, 2, 15);
    }

    private static float ieee(int exponent, int fraction, int fractionBits, int bias) {
        int significand = exponent == 0 ? fraction : fraction + (1 << fractionBits);
        return Math.scalb((float) significand, Math.max(1, exponent) - bias - fractionBits);
    }

    private static float hifloat8(int code) {
        if (code == 0x6f) {
            return Float.POSITIVE_INFINITY;
        } else if (code < 8) {
            return code == 0 ? 0 : Math.scalb(1f, code - 23);
        } else if (code < 16) {
            return significand(code, 3);
        } else if (code < 32) {
            return tapered(code, 1, 3);
        } else if (code < 64) {
            return tapered(code, 2, 3);
        }
        return code < 96 ? tapered(code, 3, 2) : tapered(code, 4, 1);
    }

    /** The exponent has a sign, and a magnitude whose highest bit is 1 and is left out. */
    private static float tapered(int code, int exponentBits, int fractionBits) {
        int exponent = code >> fractionBits;
        int magnitude = (1 << (exponentBits - 1)) | (exponent & ((1 << (exponentBits - 1)) - 1));
        boolean isNegative = (exponent >> (exponentBits - 1) & 1) != 0;
        return Math.scalb(significand(code, fractionBits), isNegative ? -magnitude : magnitude);
    }

    private static float significand(int code, int fractionBits) {
        int fraction = code & ((1 << fractionBits) - 1);
        return 1 + Math.scalb((float) fraction, -fractionBits);
    }

    /** Round to the nearest code. */
    public byte fromFloat(float value) {
        if (Float.isNaN(value)) {
            return nan;
        }
        float magnitude = Math.abs(value);
        byte code = nearest(magnitude);
        boolean signed = Float.floatToRawIntBits(value) < 0 && !(hasOneZero && code == 0);
        return (byte) (signed ? code | SIGN : code);
    }

    private byte nearest(float magnitude) {
        if (hasOneZero ? magnitude >= overflow : magnitude > overflow) {
            return beyond;
        }
        int above = Arrays.binarySearch(sorted, magnitude);
        if (above >= 0) {
            return codes[above];
        }
        above = -above - 1;
        if (above == sorted.length) {
            // Between the largest finite magnitude and the half above it, which of even codes the largest one gets.
            boolean up = !hasOneZero && magnitude == overflow && (codes[above - 1] & 1) != 0;
            return up ? beyond : codes[above - 1];
        }
        double toAbove = (double) sorted[above] - magnitude;
        double toBelow = (double) magnitude - sorted[above - 1];
        boolean up = toAbove == toBelow ? hasOneZero || (codes[above] & 1) == 0 : toAbove < toBelow;
        return codes[up ? above : above - 1];
    }

    /** Widen exactly. */
    public float toFloat(byte code) {
        if (hasOneZero && code == nan) {
            return Float.NaN;
        }
        float magnitude = magnitudes[code & 0x7f];
        return code < 0 ? -magnitude : magnitude;
    }

    /** Number of steps from zero to a magnitude that the format holds. */
    public long stepsFromZero(double magnitude) {
        return Arrays.binarySearch(sorted, (float) magnitude);
    }

    /** The step from the largest magnitude of the format that is not above this one to the next. */
    public double stepAt(double magnitude) {
        int index = 0;
        while (index < sorted.length - 2 && sorted[index + 1] <= magnitude) {
            index++;
        }
        return (double) sorted[index + 1] - sorted[index];
    }
}
