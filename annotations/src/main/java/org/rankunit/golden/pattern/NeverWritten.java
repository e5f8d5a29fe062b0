package org.rankunit.golden.pattern;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;

/** Every element still has the pattern with which the output was filled before the test. */
@API(status = INTERNAL, since = "0.1")
public final class NeverWritten implements MismatchPattern {

    private static final byte FILL = (byte) 0xAB;

    /** Its only one. */
    private static final byte HIFLOAT8_NAN = (byte) 0x80;

    private final Values actual;
    private final long pattern;

    NeverWritten(Comparison comparison) {
        this.actual = comparison.actual();
        this.pattern = bits(element(comparison.expected().type()));
    }

    /** Make the bytes that an output is filled with. */
    public static byte[] fill(DType type, int count) {
        byte[] element = element(type);
        byte[] all = new byte[Math.multiplyExact(element.length, count)];
        for (int i = 0; i < all.length; i++) {
            all[i] = element[i % element.length];
        }
        return all;
    }

    /** A NaN of a floating type, so that whatever is computed from it shows too. */
    private static byte[] element(DType type) {
        byte[] bytes = new byte[type.byteSize()];
        Arrays.fill(bytes, FILL);
        if (type.isFloating()) {
            bytes[bytes.length - 1] = type == DType.HIFLOAT8 ? HIFLOAT8_NAN : (byte) 0xFF;
        }
        if (type == DType.FLOAT64) {
            bytes[bytes.length - 2] = (byte) 0xFB;
        }
        return bytes;
    }

    /** The bits of an element from its bytes, which are little endian. */
    private static long bits(byte[] element) {
        long bits = 0;
        for (int i = element.length - 1; i >= 0; i--) {
            bits = bits << Byte.SIZE | Byte.toUnsignedLong(element[i]);
        }
        return bits;
    }

    /** Whether a single element with the pattern cannot be anything else: no small integer is. */
    static boolean isUnmistakable(Values actual) {
        return actual.type().byteSize() > 1 || actual.type() == DType.BOOL;
    }

    @Override
    public boolean predicts(int of, int index) {
        return actual.bitsAt(index) == pattern;
    }

    @Override
    public String toString() {
        return "every differing element was never written";
    }
}
