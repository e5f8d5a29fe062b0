package org.rankunit.golden.compare;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.internal.numbers.Float8;

/** Count units in the last place: the steps from one element of a floating type to another. */
@API(status = INTERNAL, since = "0.1")
public final class Ulps {

    private Ulps() {}

    /** Count the steps between two finite elements that {@code type} represents exactly, as an unsigned number. */
    public static long between(double one, double other, DType type) {
        long from = ordinal(one, type);
        long to = ordinal(other, type);
        return from > to ? from - to : to - from;
    }

    /** Get the size of one step at this magnitude, which need not be exactly representable. */
    static double size(double magnitude, DType type) {
        Float8 format = formatOf(type);
        if (format != null) {
            return format.stepAt(magnitude);
        }
        return Math.scalb(1.0, exponent(magnitude, type) - fractionBits(type));
    }

    /** The smallest number that has all its digits; 0 for a type whose numbers lose them one by one. */
    public static double smallestNormal(DType type) {
        return switch (type) {
            case FLOAT8_E4M3FN -> 0x1p-6;
            case FLOAT8_E5M2 -> 0x1p-14;
            case HIFLOAT8 -> 0;
            default -> type.isFloating() ? Math.scalb(1.0, smallestExponent(type)) : 0;
        };
    }

    /** Number the elements in ascending order; both zeros are 0. */
    private static long ordinal(double value, DType type) {
        double magnitude = Math.abs(value);
        Float8 format = formatOf(type);
        if (format != null) {
            long steps = format.stepsFromZero(magnitude);
            return value < 0 ? -steps : steps;
        }
        int exponent = exponent(magnitude, type);
        int fraction = fractionBits(type);
        long binades = (long) (exponent - smallestExponent(type)) << fraction;
        long steps = binades + (long) Math.scalb(magnitude, fraction - exponent);
        return value < 0 ? -steps : steps;
    }

    private static @Nullable Float8 formatOf(DType type) {
        return switch (type) {
            case FLOAT8_E4M3FN -> Float8.E4M3FN;
            case FLOAT8_E5M2 -> Float8.E5M2;
            case HIFLOAT8 -> Float8.HIFLOAT8;
            default -> null;
        };
    }

    private static int exponent(double magnitude, DType type) {
        return Math.max(Math.getExponent(magnitude), smallestExponent(type));
    }

    private static int fractionBits(DType type) {
        return switch (type) {
            case FLOAT16 -> 10;
            case BFLOAT16 -> 7;
            case FLOAT32 -> 23;
            default -> 52;
        };
    }

    /** Exponent of the smallest normal number; smaller numbers have the same step size. */
    private static int smallestExponent(DType type) {
        return switch (type) {
            case FLOAT16 -> -14;
            case BFLOAT16, FLOAT32 -> Float.MIN_EXPONENT;
            default -> Double.MIN_EXPONENT;
        };
    }
}
