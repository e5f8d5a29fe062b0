package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Criteria;
import org.rankunit.golden.compare.Extremes;
import org.rankunit.golden.compare.Tolerance;
import org.rankunit.golden.mismatch.Mismatches;

/** Random arrays against a naive reference that computes with numbers of any size. */
@Tag("unit")
class ComparisonTest {

    private static final int ROUNDS = 300;

    private final Random random = new Random(20261121);

    @ParameterizedTest
    @EnumSource(names = {"INT8", "INT16", "INT32", "INT64", "UINT8", "UINT16", "UINT32", "UINT64"})
    void integersAgreeWithAReferenceOfAnySize(DType type) {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = randomBytes(17 * type.byteSize());
            Values expected = Values.decode(type, bytes);
            Values actual = Values.decode(type, changeSome(bytes, type.byteSize()));

            GoldenSummary summary =
                    summary(new Comparison(expected, actual, Criteria.of("x", Tolerance.defaultFor(type))));

            int mismatches = 0;
            int worst = -1;
            BigInteger largest = BigInteger.ZERO;
            for (int i = 0; i < expected.count(); i++) {
                BigInteger difference = new BigInteger(expected.format(i))
                        .subtract(new BigInteger(actual.format(i)))
                        .abs();
                mismatches += difference.signum();
                if (difference.compareTo(largest) > 0) {
                    largest = difference;
                    worst = i;
                }
            }
            assertThat(summary.mismatches()).isEqualTo(mismatches);
            assertThat(summary.maxAbsoluteIndex()).isEqualTo(worst);
            assertThat(summary.maxAbsolute()).isEqualTo(largest.doubleValue());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void floatingElementsAgreeWithAReferenceOfAnyPrecision(DType type) {
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = randomBytes(17 * type.byteSize());
            Values expected = Values.decode(type, bytes);
            Values actual = Values.decode(type, changeSome(bytes, type.byteSize()));
            // Powers of two, so that rounding in the tolerance itself cannot make the two disagree.
            Tolerance tolerance = new Tolerance(Math.scalb(1.0, -random.nextInt(12)), 0, random.nextBoolean());
            Comparison comparison = new Comparison(expected, actual, Criteria.of("x", tolerance));

            int mismatches = 0;
            for (int i = 0; i < expected.count(); i++) {
                boolean equal = reference(expected.doubleAt(i), actual.doubleAt(i), tolerance);
                assertThat(comparison.differs(i))
                        .as("expected %s, was %s", expected.format(i), actual.format(i))
                        .isEqualTo(!equal);
                mismatches += equal ? 0 : 1;
            }
            assertThat(summary(comparison).mismatches()).isEqualTo(mismatches);
            assertThat(Mismatches.in(comparison).count()).isEqualTo(mismatches);
        }
    }

    @Test
    void theLargestDifferencesOfRandomFloatsAreFound() {
        for (int round = 0; round < ROUNDS; round++) {
            float[] wanted = new float[50];
            float[] found = new float[50];
            double absolute = 0;
            double relative = 0;
            for (int i = 0; i < 50; i++) {
                wanted[i] = (float) random.nextGaussian() + 1e-3f;
                found[i] = random.nextInt(4) == 0 ? (float) random.nextGaussian() : wanted[i];
                double difference = Math.abs((double) found[i] - wanted[i]);
                absolute = Math.max(absolute, difference);
                relative = Math.max(relative, difference / Math.abs((double) wanted[i]));
            }
            Values expected = Values.float32(wanted);
            Values actual = Values.float32(found);

            GoldenSummary summary =
                    summary(new Comparison(expected, actual, Criteria.of("x", new Tolerance(1e-3, 1e-3, false))));

            assertThat(summary.maxAbsolute()).isEqualTo(absolute);
            assertThat(summary.maxRelative()).isEqualTo(relative);
        }
    }

    /** What is skipped must not be missed: one element of many is changed, and all counts are those of a plain loop. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void largeArraysAgreeWithAPlainLoop(DType type) {
        float[] special = {0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.MIN_VALUE, 1e30f, -1e30f, 1e-30f, 65504f};
        for (int round = 0; round < ROUNDS; round++) {
            int count = 5000 + random.nextInt(3000);
            double rtol = random.nextBoolean() ? 0 : Math.scalb(1.0, -random.nextInt(14));
            double atol = random.nextInt(3) > 0 ? 0 : Math.scalb(1.0, -random.nextInt(14));
            float[] wanted = new float[count];
            float[] found = new float[count];
            boolean noisy = random.nextBoolean();
            for (int i = 0; i < count; i++) {
                wanted[i] = (float) random.nextGaussian();
                found[i] = noisy ? wanted[i] * (1 + (float) rtol * random.nextFloat()) : wanted[i];
            }
            for (int changed = random.nextInt(4); changed > 0; changed--) {
                int index = random.nextInt(count);
                wanted[index] = random.nextBoolean() ? special[random.nextInt(special.length)] : wanted[index];
                found[index] = random.nextBoolean() ? special[random.nextInt(special.length)] : wanted[index] * 1.0001f;
            }
            Values expected = Values.rounded(type, wanted);
            Values actual = Values.rounded(type, found);
            Tolerance tolerance =
                    random.nextInt(5) == 0 ? Tolerance.ofBits() : new Tolerance(rtol, atol, random.nextBoolean());

            GoldenSummary summary = summary(new Comparison(expected, actual, Criteria.of("x", tolerance)));

            int mismatches = 0;
            int bits = 0;
            Extremes extremes = new Extremes();
            for (int i = 0; i < count; i++) {
                boolean sameBits = expected.bitsAt(i) == actual.bitsAt(i);
                boolean equal =
                        tolerance.bits() ? sameBits : reference(expected.doubleAt(i), actual.doubleAt(i), tolerance);
                bits += sameBits ? 0 : 1;
                mismatches += equal ? 0 : 1;
                double difference = Math.abs(actual.doubleAt(i) - expected.doubleAt(i));
                extremes.add(i, difference, Math.abs(expected.doubleAt(i)));
            }
            assertThat(summary.mismatches()).isEqualTo(mismatches);
            assertThat(summary.bitDifferences()).isEqualTo(bits);
            assertThat(summary.maxAbsolute()).isEqualTo(extremes.absolute());
            assertThat(summary.maxAbsoluteIndex()).isEqualTo(extremes.absoluteIndex());
            assertThat(summary.maxRelative()).isEqualTo(extremes.relative());
            assertThat(summary.maxRelativeIndex()).isEqualTo(extremes.relativeIndex());
        }
    }

    @Test
    void unsignedNumbersAreRoundedToTheNearestDouble() {
        for (int i = 0; i < 100_000; i++) {
            long bits = random.nextLong() >>> random.nextInt(64);
            double nearest = new BigInteger(Long.toUnsignedString(bits)).doubleValue();
            assertThat(Extremes.unsignedToDouble(bits)).isEqualTo(nearest);
        }
    }

    @Test
    void differencesWithoutANumberLeaveNoTrace() {
        Values expected = Values.float64(Double.NaN, 1, 0);
        Values actual = Values.float64(1, Double.NaN, 2);

        GoldenSummary summary = summary(new Comparison(expected, actual, Criteria.of("x", new Tolerance(0, 0, false))));

        assertThat(summary)
                .isEqualTo(new GoldenSummary(
                        "x",
                        DType.FLOAT64,
                        3,
                        3,
                        0,
                        2,
                        3,
                        2,
                        2,
                        0,
                        -1,
                        0,
                        0,
                        "x",
                        List.of(),
                        List.of(
                                new GoldenSample(0, "NaN", "1.0", Double.NaN),
                                new GoldenSample(1, "1.0", "NaN", Double.NaN),
                                new GoldenSample(2, "0.0", "2.0", 2)),
                        null));
    }

    @Test
    void theFirstElementsThatDifferAreSamplesOfAllTypes() {
        Values expected = Values.uint64(0, 1, 2, 3, 4, 5, 6);
        Values actual = Values.uint64(0, -1, 2, 4, 5, 6, 7);

        GoldenSummary summary =
                summary(new Comparison(expected, actual, Criteria.of("x", Tolerance.defaultFor(DType.UINT64))));

        assertThat(summary.samples())
                .containsExactly(
                        new GoldenSample(1, "1", "18446744073709551615", 0x1p64),
                        new GoldenSample(3, "3", "4", 1),
                        new GoldenSample(4, "4", "5", 1),
                        new GoldenSample(5, "5", "6", 1),
                        new GoldenSample(6, "6", "7", 1));
    }

    @Test
    void manyDifferencesGiveAFewSamples() {
        Values expected = Values.int32(new int[100]);
        Values actual = Values.int32(IntStream.range(0, 100).toArray());

        GoldenSummary summary =
                summary(new Comparison(expected, actual, Criteria.of("x", Tolerance.defaultFor(DType.INT32))));

        assertThat(summary.samples()).hasSize(GoldenSummary.MAX_SAMPLES);
        assertThat(summary.mismatches()).isEqualTo(99);
    }

    private static GoldenSummary summary(Comparison comparison) {
        return Summaries.of("x", comparison, comparison.measure(), null);
    }

    private static boolean reference(double expected, double actual, Tolerance tolerance) {
        if (Double.isNaN(expected) || Double.isNaN(actual)) {
            return Double.isNaN(expected) && Double.isNaN(actual) && tolerance.nanEqualsNan();
        }
        if (expected == actual || Double.isInfinite(expected) || Double.isInfinite(actual)) {
            return expected == actual;
        }
        BigDecimal difference =
                new BigDecimal(actual).subtract(new BigDecimal(expected)).abs();
        BigDecimal allowed = new BigDecimal(tolerance.rtol())
                .multiply(new BigDecimal(expected).abs())
                .add(new BigDecimal(tolerance.atol()));
        return difference.compareTo(allowed) <= 0;
    }

    private byte[] randomBytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Change a byte of about every third element: now the lowest bits, now the highest. */
    private byte[] changeSome(byte[] bytes, int elementSize) {
        byte[] changed = bytes.clone();
        for (int start = 0; start < bytes.length; start += elementSize) {
            if (random.nextInt(3) == 0) {
                changed[start + random.nextInt(elementSize)] ^= (byte) (1 << random.nextInt(8));
            }
        }
        return changed;
    }
}
