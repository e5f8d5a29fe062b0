package org.rankunit.golden.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.ArrayScan;
import org.rankunit.golden.mismatch.Mismatches;
import org.rankunit.golden.mismatch.Places;

/** Native code finds what Java finds, to the last bit. */
@Tag("unit")
class ScansTest {

    /** So many that native code compares them. */
    private static int count(DType type) {
        return (1 << 20) / type.byteSize() + 77;
    }

    /** @param bitsAt the bits of each element */
    private static Values values(DType type, IntToLongFunction bitsAt) {
        int count = count(type);
        return Values.filled(type, count, buffer -> {
            ByteBuffer memory = buffer.order(ByteOrder.LITTLE_ENDIAN);
            for (int i = 0; i < count; i++) {
                long bits = bitsAt.applyAsLong(i);
                switch (type.byteSize()) {
                    case Byte.BYTES -> memory.put(i, (byte) bits);
                    case Short.BYTES -> memory.putShort(i * Short.BYTES, (short) bits);
                    case Integer.BYTES -> memory.putInt(i * Integer.BYTES, (int) bits);
                    default -> memory.putLong(i * Long.BYTES, bits);
                }
            }
        });
    }

    /** Wrong in many ways: anything now and then, all of it, the same number everywhere or in every row, a few runs. */
    private static List<Values> outputs(DType type, Values expected, Random random) {
        int count = expected.count();
        IntToLongFunction close = i -> expected.bitsAt(i) + random.nextInt(2);
        return Stream.<IntToLongFunction>of(
                        i -> random.nextInt(3) == 0 ? random.nextLong() : close.applyAsLong(i),
                        i -> random.nextInt(1000) == 0 ? random.nextLong() : close.applyAsLong(i),
                        i -> i == count - 1 ? random.nextLong() : close.applyAsLong(i),
                        close,
                        i -> expected.bitsAt(i) ^ (1L << (8 * type.byteSize() - 2)),
                        i -> random.nextLong(),
                        i -> 0,
                        i -> -1,
                        i -> i % 4096 < 100 ? 0 : expected.bitsAt(i),
                        i -> i / 5000 % 7 == 3 ? ~expected.bitsAt(i) : close.applyAsLong(i))
                .map(bits -> values(type, bits))
                .toList();
    }

    private static List<Object> all(Comparison comparison) {
        List<Object> all = new ArrayList<>();
        Measurements found = comparison.measure();
        all.addAll(List.of(found.mismatches(), found.bitDifferences(), found.nonFinite(), found.passed()));
        Extremes extremes = found.extremes();
        all.addAll(
                List.of(extremes.absolute(), extremes.absoluteIndex(), extremes.relative(), extremes.relativeIndex()));
        List<Integer> differing = new ArrayList<>();
        comparison.forEachDifference(1000, index -> {
            differing.add(index);
            return differing.size() < 5000;
        });
        all.addAll(differing);
        if (!found.passed()) {
            ArrayScan.Profile profile = comparison.profile();
            LongStream.of(profile.decades()).forEach(all::add);
            DoubleStream.of(profile.largest()).forEach(all::add);
        }
        if (comparison.expected().type().isFloating()) {
            all.add(comparison.specials());
        }
        if (found.mismatches() > 0) {
            addMismatches(all, Mismatches.in(comparison));
        }
        return all;
    }

    private static void addMismatches(List<Object> all, Mismatches mismatches) {
        Extremes worst = mismatches.worst();
        all.addAll(List.of(
                mismatches.count(),
                mismatches.first(),
                mismatches.last(),
                mismatches.runs(),
                mismatches.runLength(),
                mismatches.period(),
                mismatches.haveOneActual(),
                mismatches.flushed(),
                mismatches.nth(mismatches.count() / 2),
                mismatches.at(0),
                worst.absolute(),
                worst.absoluteIndex(),
                worst.relative(),
                worst.relativeIndex()));
        IntStream.of(mismatches.samples().indices()).forEach(all::add);
        for (int every : new int[] {1, 100, 4096, 5000}) {
            all.add(new Places(mismatches, 1, new int[] {1, every}, 1, IntUnaryOperator.identity()).toString());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64"})
    void bothFindTheSame(DType type) {
        requireTheSame(
                type,
                List.of(
                        Tolerance.defaultFor(type),
                        new Tolerance(0, 0, true),
                        new Tolerance(new Closeness.Within(1e-3, 1e-30, 1), false)));
    }

    /** Errors of few powers of ten, which native code counts at once: of one, of changing ones, and of exactly a power. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64"})
    void bothFindTheSameOfOrdinaryNumbers(DType type) {
        Random random = new Random(type.name().length());
        Values expected = numbers(type, i -> 1 + 99 * random.nextDouble());
        Criteria criteria = Criteria.of("test", Tolerance.defaultFor(type));
        for (IntToDoubleFunction error : List.<IntToDoubleFunction>of(
                i -> random.nextInt(1000) == 0 ? 1 : 0,
                i -> 1,
                i -> random.nextInt(300) == 0 ? 0 : 0.1,
                i -> random.nextInt(5) == 0 ? 0 : random.nextDouble() * Math.pow(10, i / 3000 % 6 - 3),
                i -> i / 2000 % 9 == 0 ? 3 * expected.doubleAt(i) + i % 7 * 0.3 : 0)) {
            Values actual = values(type, i -> {
                double wrong = error.applyAsDouble(i);
                long step = i % 3 == 0 ? 1 : 0;
                return wrong == 0
                        ? expected.bitsAt(i) + step
                        : Values.rounded(type, expected.doubleAt(i) + wrong).bitsAt(0);
            });

            requireTheSame(expected, actual, criteria);
        }
    }

    /** At half of the expected number, a difference begins to be rounded; at a power of ten, that may change its decade. */
    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64"})
    void bothFindTheSameWhereDifferencesAreRounded(DType type) {
        Random random = new Random(type.name().length());
        Criteria criteria = Criteria.of("test", Tolerance.defaultFor(type));
        for (double share : List.of(0.5, 7.0 / 16, 2.0, 1.5)) {
            Values expected = numbers(type, i -> random.nextInt(9) == 0 ? 0 : Math.scalb(1, random.nextInt(9) - 4));
            Values actual = values(type, i -> near(type, expected.doubleAt(i) * share, random));
            requireTheSame(expected, actual, criteria);
        }
        for (double wrong : List.of(1.0, 0.1, 0.01)) {
            Values expected = numbers(type, i -> wrong * (1 + 99 * random.nextDouble()));
            Values actual = values(type, i -> near(type, expected.doubleAt(i) + wrong, random));
            requireTheSame(expected, actual, criteria);
        }
    }

    /** The number itself, or one of its neighbours. */
    private static long near(DType type, double number, Random random) {
        return Values.rounded(type, number).bitsAt(0) + (number == 0 ? 0 : random.nextInt(5) - 2);
    }

    private static void requireTheSame(Values expected, Values actual, Criteria criteria) {
        assertThat(all(new Comparison(expected, actual, criteria)))
                .isEqualTo(all(Comparison.inJava(expected, actual, criteria)));
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"INT8", "UINT8", "INT16", "UINT16", "INT32", "UINT32"})
    void bothFindTheSameIntegers(DType type) {
        requireTheSame(
                type, List.of(Tolerance.defaultFor(type), new Tolerance(new Closeness.Steps(1, 0, type), false)));
    }

    /** Each output meets one tolerance, and each tolerance several outputs, which are others for each type. */
    private static void requireTheSame(DType type, List<Tolerance> tolerances) {
        Random random = new Random(type.name().length());
        Values expected = values(type, i -> random.nextInt(9) == 0 ? random.nextInt(100) : random.nextLong());
        int turn = List.of(DType.values()).indexOf(type);
        for (Values actual : outputs(type, expected, random)) {
            Criteria criteria = Criteria.of("test", tolerances.get(turn++ % tolerances.size()));

            assertThat(Scans.of(expected, actual, criteria)).isPresent();
            requireTheSame(expected, actual, criteria);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64", "INT16", "UINT32"})
    void bothTellWhetherALineExplainsAll(DType type) {
        Random random = new Random(type.name().length());
        Values expected = numbers(type, i -> random.nextInt(2000));
        for (double[] line : new double[][] {{1, 8}, {0.5, 0}, {3, 0}, {-1, 0}, {1, 0.25}}) {
            if (type.isFloating() || (line[0] > 0.5 && line[1] >= 0 && line[1] != 0.25)) {
                for (int spoilt : new int[] {-1, 5, expected.count() - 1}) {
                    Values actual = numbers(
                            type,
                            i -> i == spoilt
                                    ? 7777
                                    : i % 3 == 0 ? at(expected, i) : line[0] * at(expected, i) + line[1]);
                    Criteria criteria = Criteria.of("test", Tolerance.defaultFor(type));
                    Comparison comparison = new Comparison(expected, actual, criteria);

                    assertThat(comparison.areExplainedBy(line[0], line[1]))
                            .hasValue(areExplainedInJava(comparison, line[0], line[1]));
                    assertThat(comparison.areExplainedBy(1, 9)).hasValue(areExplainedInJava(comparison, 1, 9));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16", "FLOAT64", "INT16", "UINT32"})
    void rangesWithoutCandidatesAreKnown(DType type) {
        Random random = new Random(type.name().length());
        Values expected = numbers(type, i -> random.nextInt(30_000));
        Values actual = numbers(type, i -> random.nextInt(30_000));
        Comparison comparison = new Comparison(expected, actual, Criteria.of("test", Tolerance.defaultFor(type)));
        for (int round = 0; round < 200; round++) {
            int index = random.nextInt(expected.count());
            int from = random.nextInt(expected.count());
            int to = Math.min(expected.count(), from + random.nextInt(1 << random.nextInt(14)));

            assertThat(comparison.hasNoCandidates(index, from, to))
                    .isEqualTo(IntStream.range(from, to).noneMatch(comparison.candidatesFor(index)));
        }
    }

    private static boolean areExplainedInJava(Comparison comparison, double factor, double offset) {
        return IntStream.range(0, comparison.expected().count())
                .filter(comparison::differs)
                .allMatch(i -> {
                    double predicted = at(comparison.expected(), i) * factor + offset;
                    return comparison.expected().type().isFloating()
                            ? comparison.isExplainedBy(predicted, i)
                            : at(comparison.actual(), i) == predicted;
                });
    }

    private static double at(Values values, int index) {
        return values.type().isFloating() ? values.doubleAt(index) : values.longAt(index);
    }

    private static Values numbers(DType type, IntToDoubleFunction numberAt) {
        return values(type, i -> {
            double number = numberAt.applyAsDouble(i);
            return type.isFloating() ? Values.rounded(type, number).bitsAt(0) : (long) number;
        });
    }

    @Test
    void whatOnlyJavaCanCompareIsLeftToIt() {
        Values large = Values.float32(new float[1 << 18]);
        Criteria close = Criteria.of("test", Tolerance.defaultFor(DType.FLOAT32));

        assertThat(ArrayScan.isAvailable()).isTrue();
        assertThat(Scans.of(large, large, close)).isPresent();
        assertThat(Scans.of(large, large, Criteria.of("test", Tolerance.ofBits())))
                .isEmpty();
        assertThat(Scans.of(large, large, close.limitedTo(new Closeness.AnyFinite())))
                .isEmpty();
        assertThat(Scans.of(large, large, close.beside(large, SmallValues.none())))
                .isEmpty();
        Values small = Values.float32(1, 2);
        assertThat(Scans.of(small, small, close)).isEmpty();
        Values longs = Values.int64(new long[1 << 18]);
        assertThat(Scans.of(longs, longs, Criteria.of("test", Tolerance.defaultFor(DType.INT64))))
                .isEmpty();
    }

    @Test
    void equalBitsOfIntegersAreSkippedAndOthersAreFound() {
        int[] numbers = new int[100_000];
        Values expected = Values.int32(numbers);
        numbers[0] = 1;
        numbers[99_999] = -7;
        Comparison comparison =
                new Comparison(expected, Values.int32(numbers), Criteria.of("test", Tolerance.defaultFor(DType.INT32)));

        Measurements found = comparison.measure();
        assertThat(found.mismatches()).isEqualTo(2);
        assertThat(found.extremes().absoluteIndex()).isEqualTo(99_999);
    }
}
