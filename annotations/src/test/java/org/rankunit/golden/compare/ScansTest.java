package org.rankunit.golden.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.compare.FloatScan;

/** Native code finds what Java finds, to the last bit. */
@Tag("unit")
class ScansTest {

    private static final int COUNT = (1 << 19) + 77;
    private static final double[] POWERS = {0, 1e-6, 1e-3, 1, 1e3, 1e300};

    private static Values values(DType type, Random random, Values near, int wildEvery) {
        return Values.filled(type, COUNT, memory -> {
            for (int i = 0; i < COUNT; i++) {
                boolean wild = random.nextInt(wildEvery) == 0;
                int bits = wild ? random.nextInt() : (int) near.bitsAt(i) + random.nextInt(2);
                if (type.byteSize() == Short.BYTES) {
                    memory.putShort(i * Short.BYTES, Short.reverseBytes((short) bits));
                } else {
                    memory.putInt(i * Integer.BYTES, Integer.reverseBytes(bits));
                }
            }
        });
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
        long[] decades = new long[POWERS.length];
        double[] largest = new double[64];
        comparison.profile(POWERS, decades, largest);
        LongStream.of(decades).forEach(all::add);
        DoubleStream.of(largest).forEach(all::add);
        return all;
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"FLOAT32", "FLOAT16", "BFLOAT16"})
    void bothFindTheSame(DType type) {
        Random random = new Random(type.name().length());
        Values expected = values(type, random, Values.filled(type, COUNT, memory -> {}), 1);
        for (int wildEvery : new int[] {3, 1000, COUNT * 10}) {
            Values actual = values(type, random, expected, wildEvery);
            for (Tolerance tolerance : List.of(
                    Tolerance.defaultFor(type),
                    new Tolerance(0, 0, true),
                    new Tolerance(new Closeness.Within(1e-3, 1e-30, 1), false))) {
                Criteria criteria = Criteria.of("test", tolerance);

                assertThat(Scans.of(expected, actual, criteria)).isPresent();
                assertThat(all(new Comparison(expected, actual, criteria)))
                        .isEqualTo(all(Comparison.inJava(expected, actual, criteria)));
            }
        }
    }

    @Test
    void whatOnlyJavaCanCompareIsLeftToIt() {
        Values large = Values.float32(new float[1 << 18]);
        Criteria close = Criteria.of("test", Tolerance.defaultFor(DType.FLOAT32));

        assertThat(FloatScan.isAvailable()).isTrue();
        assertThat(Scans.of(large, large, close)).isPresent();
        assertThat(Scans.of(large, large, Criteria.of("test", Tolerance.ofBits())))
                .isEmpty();
        assertThat(Scans.of(large, large, close.limitedTo(new Closeness.AnyFinite())))
                .isEmpty();
        assertThat(Scans.of(large, large, close.beside(large, SmallValues.none())))
                .isEmpty();
        Values small = Values.float32(1, 2);
        assertThat(Scans.of(small, small, close)).isEmpty();
        Values doubles = Values.float64(new double[1 << 18]);
        assertThat(Scans.of(doubles, doubles, close)).isEmpty();
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
