package org.rankunit.collective.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Reduction;
import org.rankunit.collective.call.Slice;
import org.rankunit.internal.numbers.BFloat16;
import org.rankunit.internal.numbers.Float16;

/** Elements are reduced here as devices do it: every step is rounded to the type. */
@Tag("unit")
class ExactDataTest {

    private static final int COUNT = 97;

    private static Stream<Arguments> reductions() {
        return Stream.of(DType.values())
                .filter(ExactData::isReduced)
                .flatMap(type -> Stream.of(Reduction.values()).map(reduction -> Arguments.of(type, reduction)));
    }

    @ParameterizedTest
    @MethodSource("reductions")
    void everyOrderGivesTheExpectedBitsForEveryNumberOfRanks(DType type, Reduction reduction) {
        Random random = new Random(7);
        for (int ranks = 1; ranks <= 64; ranks++) {
            CollectiveCall call =
                    CollectiveCall.of(Collective.ALL_REDUCE, ranks, type, COUNT).withReduction(reduction);
            ExactData data = new ExactData(call, ranks);
            List<List<Number>> inputs = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                inputs.add(read(type, data.input(rank, whole(call))));
            }
            List<Number> expected = read(type, data.expected(0, whole(call)));
            for (int index = 0; index < COUNT; index++) {
                assertThat(reducedAsTree(column(inputs, index), type, reduction, random))
                        .as("%s, element %d", call, index)
                        .isEqualTo(expected.get(index));
            }
        }
    }

    private static Slice whole(CollectiveCall call) {
        return new Slice(0, call.inputBytes(0));
    }

    private static List<Number> column(List<List<Number>> inputs, int index) {
        List<Number> column = new ArrayList<>();
        inputs.forEach(input -> column.add(input.get(index)));
        return column;
    }

    /** Combines any two, until one is left. */
    private static Number reducedAsTree(List<Number> operands, DType type, Reduction reduction, Random random) {
        List<Number> left = new ArrayList<>(operands);
        while (left.size() > 1) {
            Collections.swap(left, random.nextInt(left.size()), left.size() - 1);
            Number one = left.remove(left.size() - 1);
            int other = random.nextInt(left.size());
            left.set(other, combined(one, left.get(other), type, reduction));
        }
        return left.get(0);
    }

    private static Number combined(Number one, Number other, DType type, Reduction reduction) {
        if (type.isFloating()) {
            double a = one.doubleValue();
            double b = other.doubleValue();
            double exact = switch (reduction) {
                case SUM -> a + b;
                case PROD -> a * b;
                case MAX -> Math.max(a, b);
                case MIN -> Math.min(a, b);
            };
            return switch (type) {
                case FLOAT16 -> (double) Float16.toFloat(Float16.fromFloat((float) exact));
                case BFLOAT16 -> (double) BFloat16.toFloat(BFloat16.fromFloat((float) exact));
                case FLOAT32 -> (double) (float) exact;
                default -> exact;
            };
        }
        long a = one.longValue();
        long b = other.longValue();
        int order = type.isUnsigned() ? Long.compareUnsigned(a, b) : Long.compare(a, b);
        long exact = switch (reduction) {
            case SUM -> a + b;
            case PROD -> a * b;
            case MAX -> order > 0 ? a : b;
            case MIN -> order < 0 ? a : b;
        };
        return narrowed(exact, type);
    }

    private static long narrowed(long value, DType type) {
        return switch (type) {
            case INT8 -> (byte) value;
            case INT16 -> (short) value;
            case INT32 -> (int) value;
            case UINT8 -> value & 0xff;
            case UINT16 -> value & 0xffff;
            case UINT32 -> value & 0xffff_ffffL;
            default -> value;
        };
    }

    private static List<Number> read(DType type, byte[] bytes) {
        ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        List<Number> all = new ArrayList<>();
        while (from.hasRemaining()) {
            all.add(
                    switch (type) {
                        case FLOAT16 -> (double) Float16.toFloat(from.getShort());
                        case BFLOAT16 -> (double) BFloat16.toFloat(from.getShort());
                        case FLOAT32 -> (double) from.getFloat();
                        case FLOAT64 -> from.getDouble();
                        case INT8, UINT8 -> narrowed(from.get(), type);
                        case INT16, UINT16 -> narrowed(from.getShort(), type);
                        case INT32, UINT32 -> narrowed(from.getInt(), type);
                        default -> from.getLong();
                    });
        }
        return all;
    }

    @ParameterizedTest
    @MethodSource("reductions")
    void aContributionThatIsMissingChangesTheResult(DType type, Reduction reduction) {
        int ranks = 3;
        CollectiveCall call =
                CollectiveCall.of(Collective.ALL_REDUCE, ranks, type, 1000).withReduction(reduction);
        ExactData data = new ExactData(call, 1);
        List<Number> first = read(type, data.input(0, whole(call)));
        List<Number> second = read(type, data.input(1, whole(call)));
        List<Number> expected = read(type, data.expected(0, whole(call)));
        long same = 0;
        for (int i = 0; i < 1000; i++) {
            same += combined(first.get(i), second.get(i), type, reduction).equals(expected.get(i)) ? 1 : 0;
        }

        assertThat(same).isLessThan(900);
    }

    @Test
    void partsOfAnOutputAreThoseOfTheWhole() {
        for (Collective collective : List.of(Collective.ALL_GATHER, Collective.ALL_TO_ALL, Collective.REDUCE_SCATTER)) {
            CollectiveCall call = CollectiveCall.of(collective, 5, DType.INT16, 11);
            ExactData data = new ExactData(call, 3);
            byte[] whole = data.expected(2, new Slice(0, call.outputBytes(2)));
            byte[] part = data.expected(2, new Slice(6, 14));

            assertThat(part).isEqualTo(Arrays.copyOfRange(whole, 6, 20));
        }
    }

    @Test
    void anAllToAllExpectsWhatWasSent() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_TO_ALL, 3, DType.FLOAT8_E5M2, 4);
        ExactData data = new ExactData(call, 0);

        assertThat(data.expected(1, new Slice(8, 4))).isEqualTo(data.input(2, new Slice(4, 4)));
    }

    @Test
    void everyElementThatDiffersIsCountedOnce() {
        ExactData data = new ExactData(CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 4), 0);

        assertThat(data.wrong(new byte[16], new byte[16])).isZero();
        assertThat(data.wrong(new byte[16], new byte[] {1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0}))
                .isEqualTo(2);
    }

    @Test
    void dataOfAnotherRunIsOther() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 64);

        assertThat(new ExactData(call, 1).expected(0, whole(call)))
                .isNotEqualTo(new ExactData(call, 2).expected(0, whole(call)));
    }

    @Test
    void typesThatAreNotReducedAreRefused() {
        assertThatThrownBy(() -> new ExactData(CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.BOOL, 4), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("elements of type bool are not reduced");
    }
}
