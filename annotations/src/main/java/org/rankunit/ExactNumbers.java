package org.rankunit;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Converts numbers to types that hold them exactly. */
final class ExactNumbers {

    private ExactNumbers() {}

    static Values of(DType type, double... values) {
        requireNumbers(type);
        if (!type.isFloating()) {
            return integers(type, values.length, i -> whole(type, values[i], i));
        }
        Values converted = Values.rounded(type, values);
        for (int i = 0; i < values.length; i++) {
            if (Double.compare(converted.doubleAt(i), values[i]) != 0) {
                throw refused(type, Double.toString(values[i]), i);
            }
        }
        return converted;
    }

    static Values of(DType type, long... values) {
        requireNumbers(type);
        if (!type.isFloating()) {
            return integers(type, values.length, i -> BigInteger.valueOf(values[i]));
        }
        double[] doubles = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            doubles[i] = values[i];
            if (new BigDecimal(doubles[i]).compareTo(BigDecimal.valueOf(values[i])) != 0) {
                throw refused(type, Long.toString(values[i]), i);
            }
        }
        return of(type, doubles);
    }

    private static void requireNumbers(DType type) {
        if (type == DType.BOOL) {
            throw new IllegalArgumentException("bool holds no numbers. Give true and false.");
        }
    }

    private interface NumberAt {
        BigInteger at(int index);
    }

    private static BigInteger whole(DType type, double value, int index) {
        if (value != Math.rint(value) || Double.isInfinite(value)) {
            throw refused(type, Double.toString(value), index);
        }
        return new BigDecimal(value).toBigInteger();
    }

    private static Values integers(DType type, int count, NumberAt numbers) {
        int bits = type.byteSize() * Byte.SIZE;
        ByteBuffer bytes = ByteBuffer.allocate(count * type.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            BigInteger number = numbers.at(i);
            boolean fits =
                    type.isUnsigned() ? number.signum() >= 0 && number.bitLength() <= bits : number.bitLength() < bits;
            if (!fits) {
                throw refused(type, number.toString(), i);
            }
            for (int shift = 0; shift < bits; shift += Byte.SIZE) {
                bytes.put(number.shiftRight(shift).byteValue());
            }
        }
        return Values.decode(type, bytes.array());
    }

    private static IllegalArgumentException refused(DType type, String number, int index) {
        return new IllegalArgumentException("[" + index + "]: no " + type + " is exactly " + number + "."
                + (type.isFloating() ? " Round it with Values.rounded." : ""));
    }
}
