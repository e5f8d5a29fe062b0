package org.rankunit.distributed.pe.tensor;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Arithmetic on arrays of elements. Floating types are computed as float32, float64 as float64, and each result is rounded to the type;
 * integers wrap around.
 */
@API(status = INTERNAL, since = "0.1")
public final class ElementMath {

    /** A function of two elements, once for each way to compute. */
    private record Operation(FloatOperator floats, DoubleBinaryOperator doubles, LongBinaryOperator longs) {}

    private interface FloatOperator {
        float apply(float a, float b);
    }

    private ElementMath() {}

    public static Values add(Values a, Values b) {
        return combine(a, b, new Operation((x, y) -> x + y, Double::sum, Long::sum));
    }

    public static Values sub(Values a, Values b) {
        return combine(a, b, new Operation((x, y) -> x - y, (x, y) -> x - y, (x, y) -> x - y));
    }

    public static Values mul(Values a, Values b) {
        return combine(a, b, new Operation((x, y) -> x * y, (x, y) -> x * y, (x, y) -> x * y));
    }

    public static Values div(Values a, Values b) {
        LongBinaryOperator longs = a.type().isUnsigned() ? Long::divideUnsigned : (x, y) -> x / y;
        return combine(a, b, new Operation((x, y) -> x / y, (x, y) -> x / y, longs));
    }

    public static Values maximum(Values a, Values b) {
        LongBinaryOperator longs =
                a.type() == DType.UINT64 ? (x, y) -> Long.compareUnsigned(x, y) >= 0 ? x : y : Math::max;
        return combine(a, b, new Operation(Math::max, Math::max, longs));
    }

    public static Values minimum(Values a, Values b) {
        LongBinaryOperator longs =
                a.type() == DType.UINT64 ? (x, y) -> Long.compareUnsigned(x, y) <= 0 ? x : y : Math::min;
        return combine(a, b, new Operation(Math::min, Math::min, longs));
    }

    /** Compute {@code a * b + c}. */
    public static Values fma(Values a, Values b, Values c) {
        requireAlike(a, b);
        requireAlike(a, c);
        int count = a.count();
        if (a.type() == DType.FLOAT64) {
            double[] result = new double[count];
            for (int i = 0; i < count; i++) {
                result[i] = Math.fma(a.doubleAt(i), b.doubleAt(i), c.doubleAt(i));
            }
            return Values.float64(result);
        }
        if (a.type().isFloating()) {
            float[] result = new float[count];
            for (int i = 0; i < count; i++) {
                result[i] = Math.fma((float) a.doubleAt(i), (float) b.doubleAt(i), (float) c.doubleAt(i));
            }
            return Values.rounded(a.type(), result);
        }
        return add(mul(a, b), c);
    }

    public static Values clamp(Values a, double low, double high) {
        if (!(low <= high)) {
            throw new IllegalArgumentException("clamp: " + low + " is not at most " + high);
        }
        return combine(
                a,
                a,
                new Operation(
                        (x, y) -> (float) Math.max(low, Math.min(high, x)),
                        (x, y) -> Math.max(low, Math.min(high, x)),
                        (x, y) -> Math.max((long) Math.ceil(low), Math.min((long) Math.floor(high), x))));
    }

    /**
     * Compute the softmax of each row.
     *
     * @param columns of a row
     */
    public static Values softmax(Values a, int columns) {
        if (!a.type().isFloating()) {
            throw new IllegalArgumentException("softmax: " + a.type() + " is not a floating type");
        }
        double[] result = new double[a.count()];
        for (int row = 0; row < a.count(); row += columns) {
            double most = Double.NEGATIVE_INFINITY;
            for (int i = row; i < row + columns; i++) {
                most = Math.max(most, a.doubleAt(i));
            }
            double sum = 0;
            for (int i = row; i < row + columns; i++) {
                result[i] = Math.exp(a.doubleAt(i) - most);
                sum += result[i];
            }
            for (int i = row; i < row + columns; i++) {
                result[i] /= sum;
            }
        }
        return a.type() == DType.FLOAT64 ? Values.float64(result) : Values.rounded(a.type(), floats(result));
    }

    private static float[] floats(double[] doubles) {
        float[] floats = new float[doubles.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) doubles[i];
        }
        return floats;
    }

    private static void requireAlike(Values a, Values b) {
        if (a.type() != b.type() || a.count() != b.count()) {
            throw new IllegalArgumentException(
                    "operands differ: " + a.count() + " " + a.type() + " and " + b.count() + " " + b.type());
        }
    }

    private static Values combine(Values a, Values b, Operation operation) {
        requireAlike(a, b);
        int count = a.count();
        if (a.type() == DType.FLOAT64) {
            double[] result = new double[count];
            for (int i = 0; i < count; i++) {
                result[i] = operation.doubles().applyAsDouble(a.doubleAt(i), b.doubleAt(i));
            }
            return Values.float64(result);
        }
        if (a.type().isFloating()) {
            float[] result = new float[count];
            for (int i = 0; i < count; i++) {
                result[i] = operation.floats().apply((float) a.doubleAt(i), (float) b.doubleAt(i));
            }
            return Values.rounded(a.type(), result);
        }
        if (!a.type().isInteger()) {
            throw new IllegalArgumentException("there is no arithmetic of " + a.type());
        }
        return Values.filled(a.type(), count, filled -> {
            ByteBuffer buffer = filled.order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < count; i++) {
                put(buffer, a.type(), i, operation.longs().applyAsLong(a.longAt(i), b.longAt(i)));
            }
        });
    }

    private static void put(ByteBuffer buffer, DType type, int index, long value) {
        switch (type.byteSize()) {
            case Byte.BYTES -> buffer.put(index, (byte) value);
            case Short.BYTES -> buffer.putShort(index * Short.BYTES, (short) value);
            case Integer.BYTES -> buffer.putInt(index * Integer.BYTES, (int) value);
            default -> buffer.putLong(index * Long.BYTES, value);
        }
    }
}
