package org.rankunit.internal.numbers;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apiguardian.api.API;

/**
 * Encodes whole numbers, little endian.
 *
 * @param type names the type of the elements in messages
 * @param byteSize of an element
 */
@API(status = INTERNAL, since = "0.1")
public record WholeNumbers(String type, int byteSize, boolean isUnsigned) {

    private interface NumberAt {
        BigInteger at(int index);
    }

    /**
     * Encode numbers that must be whole.
     *
     * @throws IllegalArgumentException if a number is not whole or out of range, with its index
     */
    public byte[] encode(double... values) {
        return encode(values.length, i -> {
            double value = values[i];
            if (value != Math.rint(value) || Double.isInfinite(value)) {
                throw refused(type, Double.toString(value), i);
            }
            return new BigDecimal(value).toBigInteger();
        });
    }

    /**
     * Encode integers.
     *
     * @throws IllegalArgumentException if a number is out of range, with its index
     */
    public byte[] encode(long... values) {
        return encode(values.length, i -> BigInteger.valueOf(values[i]));
    }

    private byte[] encode(int count, NumberAt numbers) {
        int bits = byteSize * Byte.SIZE;
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(count, byteSize)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            BigInteger number = numbers.at(i);
            boolean fits = isUnsigned ? number.signum() >= 0 && number.bitLength() <= bits : number.bitLength() < bits;
            if (!fits) {
                throw refused(type, number.toString(), i);
            }
            for (int shift = 0; shift < bits; shift += Byte.SIZE) {
                bytes.put(number.shiftRight(shift).byteValue());
            }
        }
        return bytes.array();
    }

    private static IllegalArgumentException refused(String type, String number, int index) {
        return new IllegalArgumentException("[" + index + "]: no " + type + " is exactly " + number + ".");
    }
}
