package org.rankunit.golden;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.rankunit.DType;
import org.rankunit.Values;

/** Adds integers of any type exactly. */
final class IntegerSum {

    private IntegerSum() {}

    static Values of(List<Values> all, DType type, String name) {
        int bits = type.byteSize() * Byte.SIZE;
        int magnitude = type.isUnsigned() ? bits : bits - 1;
        int count = all.get(0).count();
        ByteBuffer bytes = ByteBuffer.allocate(count * type.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            BigInteger sum = BigInteger.ZERO;
            for (Values each : all) {
                sum = sum.add(new BigInteger(each.format(i)));
            }
            if (sum.bitLength() > magnitude || (type.isUnsigned() && sum.signum() < 0)) {
                throw new IllegalArgumentException("buffer '" + name + "' [" + i + "]: the sum over all ranks is " + sum
                        + ", which no " + type + " holds.");
            }
            put(bytes, type, sum.longValue());
        }
        return Values.decode(type, bytes.array());
    }

    private static void put(ByteBuffer bytes, DType type, long value) {
        switch (type.byteSize()) {
            case Byte.BYTES -> bytes.put((byte) value);
            case Short.BYTES -> bytes.putShort((short) value);
            case Integer.BYTES -> bytes.putInt((int) value);
            default -> bytes.putLong(value);
        }
    }
}
