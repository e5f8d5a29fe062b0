package org.rankunit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.rankunit.internal.numbers.BFloat16;
import org.rankunit.internal.numbers.Float16;

/** Copies the elements of {@link Values} into Java arrays. Each method accepts the types whose values all fit. */
final class ValueArrays {

    /** Significant bits of a double: an integer that needs no more is exact. */
    private static final int DOUBLE_PRECISION = 53;

    private ValueArrays() {}

    static float[] floats(Values values, ByteBuffer memory) {
        float[] floats = new float[values.count()];
        switch (values.type()) {
            case FLOAT32 -> view(memory).asFloatBuffer().get(floats);
            case FLOAT16 -> {
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = Float16.toFloat(memory.getShort(i * Short.BYTES));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = BFloat16.toFloat(memory.getShort(i * Short.BYTES));
                }
            }
            case FLOAT8_E4M3FN, FLOAT8_E5M2, HIFLOAT8 -> {
                for (int i = 0; i < floats.length; i++) {
                    floats[i] = (float) values.doubleAt(i);
                }
            }
            default -> throw values.wrongType("toFloats", "float16, bfloat16, float32 and 8-bit floating types");
        }
        return floats;
    }

    static double[] doubles(Values values, ByteBuffer memory) {
        if (values.type() == DType.BOOL) {
            throw values.wrongType("toDoubles", "numbers");
        }
        double[] doubles = new double[values.count()];
        if (values.type() == DType.FLOAT64) {
            view(memory).asDoubleBuffer().get(doubles);
            return doubles;
        }
        boolean floating = values.type().isFloating();
        for (int i = 0; i < doubles.length; i++) {
            doubles[i] = floating ? values.doubleAt(i) : exactDouble(values, i);
        }
        return doubles;
    }

    static short[] shorts(Values values, ByteBuffer memory) {
        short[] shorts = new short[values.count()];
        switch (values.type()) {
            case INT16 -> view(memory).asShortBuffer().get(shorts);
            case INT8, UINT8 -> {
                for (int i = 0; i < shorts.length; i++) {
                    shorts[i] = (short) values.longAt(i);
                }
            }
            default -> throw values.wrongType("toShorts", "int8, uint8 and int16");
        }
        return shorts;
    }

    static int[] ints(Values values, ByteBuffer memory) {
        int[] ints = new int[values.count()];
        switch (values.type()) {
            case INT32 -> view(memory).asIntBuffer().get(ints);
            case INT8, UINT8, INT16, UINT16 -> {
                for (int i = 0; i < ints.length; i++) {
                    ints[i] = (int) values.longAt(i);
                }
            }
            default -> throw values.wrongType("toInts", "int8, uint8, int16, uint16 and int32");
        }
        return ints;
    }

    static long[] longs(Values values, ByteBuffer memory) {
        if (!values.type().isInteger()) {
            throw values.wrongType("toLongs", "integers");
        }
        long[] longs = new long[values.count()];
        if (values.type().byteSize() == Long.BYTES) {
            view(memory).asLongBuffer().get(longs);
            return longs;
        }
        for (int i = 0; i < longs.length; i++) {
            longs[i] = values.longAt(i);
        }
        return longs;
    }

    static boolean[] booleans(Values values) {
        if (values.type() != DType.BOOL) {
            throw values.wrongType("toBooleans", "bool");
        }
        boolean[] booleans = new boolean[values.count()];
        for (int i = 0; i < booleans.length; i++) {
            long stored = values.longAt(i);
            if (stored > 1) {
                throw new IllegalStateException(
                        "bool [" + i + "] is the byte " + values.format(i) + ", neither 0 (false) nor 1 (true).");
            }
            booleans[i] = stored == 1;
        }
        return booleans;
    }

    /** Returns the name of the method that reads a type, for the message about one that does not. */
    static String readerOf(DType type) {
        return switch (type) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT8_E4M3FN, FLOAT8_E5M2, HIFLOAT8 -> "toFloats";
            case FLOAT64 -> "toDoubles";
            case INT8, UINT8, INT16, UINT16, INT32 -> "toInts";
            case UINT32, INT64, UINT64 -> "toLongs";
            case BOOL -> "toBooleans";
        };
    }

    private static double exactDouble(Values values, int index) {
        long value = values.longAt(index);
        boolean large = values.type() == DType.UINT64 && value < 0;
        long magnitude = large ? value : Math.abs(value);
        int significant = Long.SIZE - Long.numberOfLeadingZeros(magnitude) - Long.numberOfTrailingZeros(magnitude);
        if (significant > DOUBLE_PRECISION) {
            throw new ArithmeticException(values.type() + " [" + index + "]: no double is exactly "
                    + values.format(index) + ". toLongs() reads it.");
        }
        return large ? (value >>> 1) * 2.0 : value;
    }

    /** A view is made from a duplicate, whose byte order must be set again. */
    private static ByteBuffer view(ByteBuffer memory) {
        return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    }
}
