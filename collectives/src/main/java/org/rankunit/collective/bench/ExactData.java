package org.rankunit.collective.bench;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Demand;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Slice;

/**
 * Inputs of a collective whose result is exact: for any number of ranks, and in whatever order an algorithm reduces. So a result can
 * be compared bit by bit.
 *
 * <p>Elements depend on rank, index and salt. Integers have all their bits, and wrap around. Floating-point elements are small
 * integers if they are added, so that every partial sum has few enough bits, and signed powers of two if they are multiplied, so that
 * every partial product can be represented. With more ranks than that allows at one index, only some of them contribute there.
 * Elements that are only copied are random bits. Beyond 1,048,573 elements, a prime number, the values repeat.
 *
 * <p>Threads: one thread at a time.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class ExactData {

    /** A prime, so that data which is displaced by a round number of elements is not the same. */
    private static final int PERIOD = 1_048_573;

    /** All integers up to this are exact in every type that is reduced. */
    private static final long LARGEST_EXACT_OF_ALL = 1 << 8;

    private static final int LARGEST_TERM = 1 << 10;
    private static final int LARGEST_EXPONENT = 4;

    private final CollectiveCall call;
    private final long salt;
    private final DType type;
    private final Bound bound;
    /** The reduced elements, once they are needed. */
    private long[] reduced = {};

    /**
     * At each index, one rank in {@code every} contributes an integer or an exponent of at most {@code most}; the others nothing.
     */
    private record Bound(int every, int most) {

        static Bound of(int limit, int ranks, int largest) {
            int every = (ranks + limit - 1) / limit;
            int contributing = (ranks + every - 1) / every;
            return new Bound(every, Math.min(largest, limit / contributing));
        }
    }

    /** @param salt other values for another salt, so that results of an earlier run are no results of this one */
    public ExactData(CollectiveCall call, long salt) {
        this.call = call;
        this.salt = salt;
        this.type = call.type();
        if (call.collective().reduces() && !isReduced(type)) {
            throw new IllegalArgumentException(call + ": elements of type " + type + " are not reduced");
        }
        this.bound = call.reduction() == Reduction.PROD
                ? Bound.of(largestExponent(type), call.ranks(), LARGEST_EXPONENT)
                : Bound.of(Math.max(1, largestExact(type)), call.ranks(), LARGEST_TERM);
    }

    /** Whether elements of a type can be reduced, and not only copied. */
    public static boolean isReduced(DType type) {
        return largestExact(type) > 0;
    }

    /** All integers up to this are exact; 0 for types that are not reduced. */
    private static int largestExact(DType type) {
        return switch (type) {
            case BFLOAT16 -> 1 << 8;
            case FLOAT16 -> 1 << 11;
            case FLOAT8_E4M3FN, FLOAT8_E5M2, HIFLOAT8, BOOL -> 0;
            default -> 1 << 24;
        };
    }

    /** Two to the power of this, and its inverse, are normal numbers. */
    private static int largestExponent(DType type) {
        return type == DType.FLOAT16 ? 14 : 126;
    }

    /**
     * Get a part of a rank's input.
     *
     * @param part in bytes, whole elements
     */
    public byte[] input(int rank, Slice part) {
        byte[] all = new byte[Math.toIntExact(part.bytes())];
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        int size = type.byteSize();
        long first = part.from() / size;
        for (int i = 0; i < part.bytes() / size; i++) {
            put(bytes, element(rank, first + i));
        }
        return all;
    }

    /**
     * Get what a part of a rank's output must hold, by a plain computation.
     *
     * @param part in bytes, whole elements
     */
    public byte[] expected(int rank, Slice part) {
        byte[] all = new byte[Math.toIntExact(part.bytes())];
        ByteBuffer bytes = ByteBuffer.wrap(all).order(ByteOrder.LITTLE_ENDIAN);
        int size = type.byteSize();
        for (Demand demand : call.demands(rank)) {
            long from = Math.max(part.from(), demand.output().from());
            long end = Math.min(part.end(), demand.output().end());
            if (from >= end) {
                continue;
            }
            bytes.position(Math.toIntExact(from - part.from()));
            long first = (demand.inputFrom() + from - demand.output().from()) / size;
            for (int i = 0; i < (end - from) / size; i++) {
                put(bytes, demand.source() == Demand.ALL ? reduced(first + i) : element(demand.source(), first + i));
            }
        }
        return all;
    }

    /** Count the elements that have other bits. */
    public long wrong(byte[] expected, byte[] actual) {
        if (Arrays.equals(expected, actual)) {
            return 0;
        }
        int size = type.byteSize();
        long wrong = 0;
        for (int at = 0; at < expected.length; at += size) {
            boolean same = true;
            for (int i = at; i < at + size; i++) {
                same &= expected[i] == actual[i];
            }
            wrong += same ? 0 : 1;
        }
        return wrong;
    }

    /** The bits of an element. */
    private long element(int rank, long index) {
        long place = index % PERIOD;
        return call.collective().reduces() ? bitsOf(operand(rank, place)) : copied(mixed(rank, place));
    }

    private long copied(long random) {
        return type == DType.BOOL ? random & 1 : random;
    }

    private long reduced(long index) {
        if (reduced.length == 0) {
            reduced = new long[(int) Math.min(PERIOD, Math.max(1, inputElements()))];
            for (int place = 0; place < reduced.length; place++) {
                long all = operand(0, place);
                for (int rank = 1; rank < call.ranks(); rank++) {
                    all = combined(all, operand(rank, place));
                }
                reduced[place] = bitsOf(all);
            }
        }
        return reduced[(int) (index % PERIOD)];
    }

    private long inputElements() {
        return call.inputBytes(0) / type.byteSize();
    }

    /**
     * What a rank contributes: the number itself, or, for a product of floating-point elements, twice the exponent of a power of two
     * plus 1 if it is negative.
     */
    private long operand(int rank, long place) {
        long random = mixed(rank, place);
        Reduction reduction = call.reduction();
        if (type.isInteger()) {
            // An even factor would make products 0 after a few ranks.
            return narrowed(reduction == Reduction.PROD ? random | 1 : random);
        }
        if (reduction == Reduction.MAX || reduction == Reduction.MIN) {
            return Math.floorMod(random, 2L * LARGEST_EXACT_OF_ALL + 1) - LARGEST_EXACT_OF_ALL;
        }
        boolean contributes = (rank + place) % bound.every() == 0;
        if (reduction == Reduction.SUM) {
            return contributes ? Math.floorMod(random, bound.most() + 1L) : 0;
        }
        long exponent = contributes ? Math.floorMod(random, 2L * bound.most() + 1) - bound.most() : 0;
        return 2 * exponent + (random >>> 63);
    }

    private long combined(long one, long other) {
        return switch (call.reduction()) {
            case SUM -> narrowed(one + other);
            case PROD ->
                type.isInteger() ? narrowed(one * other) : 2 * ((one >> 1) + (other >> 1)) + ((one ^ other) & 1);
            case MAX -> compare(one, other) >= 0 ? one : other;
            case MIN -> compare(one, other) <= 0 ? one : other;
        };
    }

    private int compare(long one, long other) {
        return type.isUnsigned() ? Long.compareUnsigned(one, other) : Long.compare(one, other);
    }

    /** Wraps an integer around as its type does; numbers of floating-point types stay small. */
    private long narrowed(long value) {
        int spare = Long.SIZE - Byte.SIZE * type.byteSize();
        return type.isUnsigned() ? value << spare >>> spare : type.isInteger() ? value << spare >> spare : value;
    }

    private long bitsOf(long operand) {
        if (type.isInteger()) {
            return operand;
        }
        double value = call.reduction() == Reduction.PROD
                ? Math.scalb((operand & 1) == 0 ? 1.0 : -1.0, Math.toIntExact(operand >> 1))
                : operand;
        return switch (type) {
            case FLOAT64 -> Double.doubleToRawLongBits(value);
            case BFLOAT16 -> Float.floatToRawIntBits((float) value) >>> 16;
            case FLOAT16 -> half((float) value);
            default -> Float.floatToRawIntBits((float) value);
        };
    }

    /** The binary16 of a number that is 0, or normal there and of at most 11 bits. */
    private static long half(float value) {
        int bits = Float.floatToRawIntBits(value);
        int sign = (bits >>> 16) & 0x8000;
        return value == 0 ? sign : sign | (((bits & 0x7fff_ffff) - (112 << 23)) >>> 13);
    }

    private void put(ByteBuffer bytes, long bits) {
        switch (type.byteSize()) {
            case 1 -> bytes.put((byte) bits);
            case 2 -> bytes.putShort((short) bits);
            case 4 -> bytes.putInt((int) bits);
            default -> bytes.putLong(bits);
        }
    }

    /** Random bits for a rank and an index; the same on all ranks. Steps and constants: SplitMix64, of Steele, Lea and Flood. */
    private long mixed(int rank, long place) {
        long z = (salt * 1_000_003 + rank + 1) * 0x9e37_79b9_7f4a_7c15L + place * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return z ^ (z >>> 31);
    }
}
