package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.rankunit.DType;
import org.rankunit.Values;
import org.rankunit.golden.Criterion.Level;

/** What each criterion accepts, at its bounds. */
@Tag("unit")
class CriterionTest {

    private static final float NAN = Float.NaN;
    private static final float INF = Float.POSITIVE_INFINITY;

    @ParameterizedTest
    @CsvSource({
        "FLOAT16, 1000, 1",
        "FLOAT16, 999, 0",
        "BFLOAT16, 1000, 4",
        "FLOAT32, 10000, 1",
        "FLOAT32, 9999, 0",
        "FLOAT64, 20000, 2"
    })
    void doublePerMilleLetsAShareOfTheElementsDiffer(DType type, int count, int share) {
        double[] expected = new double[count];
        Arrays.fill(expected, 1);
        double[] actual = expected.clone();
        Golden golden = Golden.of("output", values(type, expected)).using(Criterion.doublePerMille());

        Arrays.fill(actual, 0, share, 2);
        GoldenSummary summary = golden.verify(values(type, actual));
        assertThat(summary.mismatches()).isEqualTo(share);
        assertThat(summary.allowed()).isEqualTo(share);
        assertThat(summary.criterion()).isEqualTo("double per mille");
        actual[share] = 2;

        assertThat(failure(golden, values(type, actual)).summary().mismatches()).isEqualTo(share + 1);
    }

    /** As many as the share says, whatever the product of the two is rounded to. */
    @Test
    void aShareIsCountedExactly() {
        for (int count : List.of(1, 3, 7, 100, 1000, 12_345)) {
            for (int some = 0; some < Math.min(count, 1000); some++) {
                assertThat(allowed((double) some / count, count)).isEqualTo(some);
                assertThat(allowed(Math.nextUp((double) some / count), count)).isEqualTo(some);
                assertThat(some == 0 ? -1 : allowed(Math.nextDown((double) some / count), count))
                        .isEqualTo(some - 1);
            }
        }
        assertThat(Criterion.close().allowing(0.29)).hasToString("allclose, except for 29.0 % of the elements");
    }

    private static int allowed(double share, int count) {
        return Criterion.close()
                .allowing(share)
                .criteria("output", Values.float32())
                .allowedMismatches(count);
    }

    @Test
    void theCosineOfEqualArraysIsOneWhateverIsInThem() {
        Values nothing = Values.float32(NAN, INF);
        Golden golden = Golden.of("output", nothing).using(Criterion.cosine(1)).nanEqualsNan();
        golden.verify(nothing);
        for (float small : new float[] {1e-30f, 1, 1e30f}) {
            Values values = Values.float32(small, small * 3, small / 7);
            Golden.of("output", values).using(Criterion.cosine(1)).verify(values);
        }
        Golden third = Golden.of("output", Values.float32(0, 0)).using(Criterion.cosine(1));
        assertThat(failure(third, Values.float32(0, 1)))
                .hasMessageContainingAll("cosine similarity: 0.0, must be at least 1.0", "worst", "[1]")
                .hasMessageNotContaining("relative");
    }

    @Test
    void aShareNeverIncludesElementsThatAreNotFinite() {
        float[] expected = new float[1000];
        Golden golden =
                Golden.of("output", expected).using(Criterion.close(0, 0).allowing(0.5));
        float[] actual = expected.clone();
        Arrays.fill(actual, 0, 500, 1);
        golden.verify(Values.float32(actual));
        actual[0] = NAN;

        GoldenMismatchError error = failure(golden, Values.float32(actual));

        assertThat(error.summary().nonFinite()).isEqualTo(1);
        assertThat(error.summary().passed()).isFalse();
        assertThat(error).hasMessageContainingAll("500 of 1000 elements differ", "actual holds 1, the first at [0]");
    }

    @ParameterizedTest
    @CsvSource({"FLOAT16, 0.0009765625", "BFLOAT16, 0.0078125", "FLOAT32, 0.0001220703125"})
    void theMeanRelativeErrorIsBelowAThresholdAndTheLargestBelowTenTimesIt(DType type, double threshold) {
        double[] expected = new double[100];
        Arrays.fill(expected, 1);
        Golden golden = Golden.of("output", values(type, expected)).using(Criterion.meanAndMaximumRelativeError());
        double[] actual = expected.clone();

        // A mean of 0.08 thresholds, at a largest of 8.
        actual[3] = 1 + 8 * threshold;
        GoldenSummary summary = golden.verify(values(type, actual));
        assertThat(summary.statistics()).extracting(GoldenStatistic::name).containsExactly("MERE", "MARE");
        assertThat(summary.statistics().get(0).value()).isCloseTo(0.08 * threshold, within(1e-6 * threshold));
        assertThat(summary.statistics().get(1).value()).isCloseTo(8 * threshold, within(1e-5 * threshold));

        actual[3] = 1 + 12 * threshold;
        assertThat(failure(golden, values(type, actual)).summary().mismatches()).isEqualTo(1);

        // No element is far off, but all are.
        Arrays.fill(actual, 1 + 2 * threshold);
        GoldenMismatchError mean = failure(golden, values(type, actual));
        assertThat(mean.summary().mismatches()).isZero();
        assertThat(mean.summary().statistics()).extracting(GoldenStatistic::met).containsExactly(false, true);
    }

    @Test
    void aMissedStatisticIsTheHeadline() {
        Golden golden = Golden.of("output", 1f, 1f, 4f).using(Criterion.meanAndMaximumRelativeError());

        assertThat(failure(golden, Values.float32(1.0002f, 1.0002f, 4.0008f))).hasMessage("""
                        output: MERE: 2.00033E-4, must be below 1.220703125E-4
                          worst      [2]  expected 4.0  was 4.0008  difference 0.0008  (allowed 0.00488281, relative 2.00033E-4)
                          MERE       2.00033E-4, must be below 1.220703125E-4: missed
                          MARE       2.00033E-4, must be below 0.001220703125
                          tolerance  rtol 0.001220703125, atol 1.220703125E-10 (MERE and MARE)""");
    }

    @Test
    void mixedToleranceLetsOneInAHundredDifferButNoneByMuch() {
        float[] expected = new float[200];
        Arrays.fill(expected, 1);
        Golden golden = Golden.of("output", expected).using(Criterion.mixedTolerance());
        float[] actual = expected.clone();

        actual[0] = 1.005f;
        actual[1] = 1.005f;
        assertThat(golden.verify(Values.float32(actual)).mismatches()).isEqualTo(2);

        actual[2] = 1.005f;
        assertThat(failure(golden, Values.float32(actual)).summary().mismatches())
                .isEqualTo(3);

        actual[2] = 1;
        actual[1] = 1.02f;
        assertThat(failure(golden, Values.float32(actual)))
                .hasMessageStartingWith(
                        "output: elements that differ by more than 0.01 or 32 ulp: 1.0, must be 0; 2 of 200");
    }

    @Test
    void theLimitOfMixedToleranceGrowsWithTheMagnitude() {
        // One step at 2^20 is 0.125: 32 steps are more than 0.01.
        float[] expected = new float[100];
        Arrays.fill(expected, 0x1p20f);
        Golden golden = Golden.of("output", expected).using(Criterion.mixedTolerance());
        float[] actual = expected.clone();

        actual[0] = 0x1p20f + 200;
        assertThat(failure(golden, Values.float32(actual)).summary().statistics())
                .extracting(GoldenStatistic::value)
                .containsExactly(1.0);
    }

    @ParameterizedTest
    @CsvSource({"L0, 10, 2, 2", "L1, 5, 1.5, 1.5", "L2, 2, 1.2, 1.2"})
    void aLevelIsAMultipleOfTheErrorOfAnotherImplementation(Level level, double mare, double mere, double rmse) {
        double[] golden = {1, 2, 4, 8};
        double[] theirs = {1.001, 2.002, 4.004, 8.008};
        Golden by = Golden.of("output", values(DType.FLOAT32, golden))
                .using(Criterion.level(level, values(DType.FLOAT32, theirs)));
        double least = Math.min(mere, rmse);

        by.verify(values(
                DType.FLOAT32,
                Arrays.stream(golden).map(x -> x * (1 + 0.00099 * least)).toArray()));

        GoldenSummary all = failure(
                        by,
                        values(
                                DType.FLOAT32,
                                Arrays.stream(golden)
                                        .map(x -> x * (1 + 0.00101 * least))
                                        .toArray()))
                .summary();
        assertThat(all.statistics())
                .filteredOn(statistic -> !statistic.met())
                .extracting(GoldenStatistic::name)
                .containsExactly("MERE", "RMSE");
        // Only one element is off, and only by the largest error.
        GoldenSummary one = failure(by, values(DType.FLOAT32, new double[] {1 + 0.00101 * mare, 2, 4, 8}))
                .summary();
        assertThat(one.statistics())
                .filteredOn(statistic -> !statistic.met())
                .extracting(GoldenStatistic::name)
                .contains("MARE");
    }

    @Test
    void smallValuesAreCountedApart() {
        float[] golden = new float[8];
        Arrays.fill(golden, 0x1p-15f);
        Golden by = Golden.of("output", golden).using(Criterion.level(Level.L2, Values.float32(golden)));
        float[] actual = golden.clone();

        // Half as much again: a relative error of 0.5, but no more than two of them.
        actual[0] *= 1.5f;
        actual[1] *= 1.5f;
        assertThat(by.verify(Values.float32(actual)).statistics())
                .filteredOn(statistic -> statistic.name().equals("errors of small values"))
                .containsExactly(new GoldenStatistic("errors of small values", 2, "at most 2.0", true));
        actual[2] *= 1.5f;
        assertThat(failure(by, Values.float32(actual)).summary().statistics())
                .filteredOn(statistic -> !statistic.met())
                .hasSize(1);
    }

    @Test
    void anInfinityMayBeThatOfTheOtherImplementation() {
        Values theirs = Values.float32(1, INF, NAN);
        Golden by = Golden.of("output", 1f, 65519f, 3f).using(Criterion.level(Level.L0, theirs));

        by.verify(Values.float32(1, INF, NAN));

        assertThat(failure(by, Values.float32(1, -INF, NAN)).summary().nonFinite())
                .isEqualTo(1);
    }

    @Test
    void aResultOfAnotherSizeOrTypeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("output", 1f, 2f).using(Criterion.level(Level.L0, Values.float32(1))))
                .withMessage("output: the result to compare with is 1 x float32, and the golden 2 x float32.");
    }

    @ParameterizedTest
    @MethodSource("steps")
    void ulpsCountSteps(Values expected, Values inside, Values outside) {
        Golden golden = Golden.of("output", expected).using(Criterion.ulps(2));

        golden.verify(inside);
        failure(golden, outside);
    }

    static Stream<Arguments> steps() {
        float tiny = Float.MIN_VALUE;
        return Stream.of(
                Arguments.of(
                        Values.float32(1), Values.float32(1 + 2 * Math.ulp(1f)), Values.float32(1 + 3 * Math.ulp(1f))),
                Arguments.of(Values.float32(tiny), Values.float32(-tiny), Values.float32(-2 * tiny)),
                Arguments.of(Values.float16(2048), Values.float16(2052), Values.float16(2054)),
                Arguments.of(Values.bfloat16(1), Values.bfloat16(0.9921875f), Values.bfloat16(0.98828125f)),
                Arguments.of(Values.float8e4m3fn(1), Values.float8e4m3fn(1.25f), Values.float8e4m3fn(1.375f)),
                Arguments.of(Values.hifloat8(1), Values.hifloat8(0.875f), Values.hifloat8(0.8125f)),
                Arguments.of(Values.int32(7), Values.int32(5), Values.int32(4)),
                Arguments.of(Values.uint8(255), Values.uint8(253), Values.uint8(252)),
                Arguments.of(
                        Values.int64(Long.MIN_VALUE), Values.int64(Long.MIN_VALUE + 2), Values.int64(Long.MAX_VALUE)));
    }

    @Test
    void quantizedIntegersMayDifferByOne() {
        Golden golden = Golden.of("output", (byte) -128, (byte) 127).using(Criterion.quantized());

        golden.verify(Values.int8((byte) -127, (byte) 126));
        assertThat(failure(golden, Values.int8((byte) 127, (byte) 127)))
                .hasMessageContainingAll("difference 255", "tolerance  a difference of 1 (quantized)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("output", 1f).using(Criterion.quantized()))
                .withMessage("output: quantized() compares integers, and these are float32.");
    }

    @Test
    void aSumOfManyTermsMayBeFurtherOff() {
        float[] expected = {0, 8, -8, 100};
        float[] actual = {0.0007f, 8 - 0.0056f, -8 + 0.0056f, 100 - 0.07f};

        Golden.of("output", expected).using(Criterion.reduction(2048)).verify(Values.float32(actual));
        GoldenMismatchError error =
                failure(Golden.of("output", expected).using(Criterion.reduction(2047)), Values.float32(actual));

        assertThat(error)
                .hasMessageContainingAll(
                        "all 4 elements differ", "magnitudes below 1.0 as 1.0 (reduction of 2047 terms)");
    }

    @Test
    void aSumThatIsAlwaysTooLargeIsBiased() {
        float[] expected = new float[100];
        float[] actual = new float[100];
        Arrays.fill(expected, 4);
        for (int i = 0; i < 100; i++) {
            actual[i] = 4 + (i % 2 == 0 ? 0.0008f : -0.0008f);
        }
        Golden golden = Golden.of("output", expected).using(Criterion.reduction(100));
        golden.verify(Values.float32(actual));
        Arrays.fill(actual, 4.0008f);

        assertThat(failure(golden, Values.float32(actual)))
                .hasMessageStartingWith("output: mean bias: 2.00033E-4, must be at most 6.103515625E-5");
    }

    @Test
    void aCosineSaysHowFarTwoVectorsPointApart() {
        Golden golden = Golden.of("output", 3f, 4f).using(Criterion.cosine(0.99));

        assertThat(golden.verify(Values.float32(30, 40)).statistics().get(0).value())
                .isCloseTo(1, within(1e-12));
        assertThat(failure(golden, Values.float32(4, 3))
                        .summary()
                        .statistics()
                        .get(0)
                        .value())
                .isCloseTo(0.96, within(1e-12));
        assertThat(failure(golden, Values.float32(0, 0))
                        .summary()
                        .statistics()
                        .get(0)
                        .value())
                .isZero();
        failure(golden, Values.float32(3, NAN));
    }

    @Test
    void statisticsAgreeWithAPlainComputation() {
        Random random = new Random(7);
        float[] expected = new float[5000];
        float[] actual = new float[5000];
        double sum = 0;
        double largest = 0;
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (float) random.nextGaussian();
            actual[i] = expected[i] * (1 + 1e-5f * random.nextInt(9));
            double relative = Math.abs((double) actual[i] - expected[i]) / (Math.abs((double) expected[i]) + 1e-7);
            sum += relative;
            largest = Math.max(largest, relative);
        }

        List<GoldenStatistic> statistics = Golden.of("output", expected)
                .using(Criterion.meanAndMaximumRelativeError())
                .verify(Values.float32(actual))
                .statistics();

        assertThat(statistics.get(0).value()).isEqualTo(sum / expected.length);
        assertThat(statistics.get(1).value()).isEqualTo(largest);
    }

    @Test
    void bitsWithinTheToleranceAreCountedApart() {
        Golden golden = Golden.of("output", 1f, 2f, 3f, 4f).within(1e-3, 0);

        GoldenSummary summary = golden.verify(Values.float32(1.0001f, 2, 3, 4));
        assertThat(summary.bitDifferences()).isEqualTo(1);
        assertThat(summary.mismatches()).isZero();

        assertThat(failure(golden, Values.float32(1.0001f, 2, 9, INF)))
                .hasMessageContaining("within     1 more element differs, within the tolerance");
    }

    @Test
    void aFailureSaysHowItsErrorsAreDistributed() {
        float[] expected = new float[128];
        float[] actual = new float[128];
        actual[1] = 0.05f;
        actual[2] = 0.5f;
        actual[3] = -0.7f;
        actual[127] = INF;

        GoldenErrors errors = Objects.requireNonNull(failure(Golden.of("output", expected), Values.float32(actual))
                .summary()
                .errors());

        assertThat(errors.firstDecade()).isEqualTo(-2);
        assertThat(errors.histogram()).containsExactly(1, 2);
        assertThat(errors.profile()).hasSize(64);
        assertThat(errors.profile().subList(0, 3)).containsExactly((double) 0.05f, (double) 0.7f, 0.0);
        assertThat(errors.profile().get(63)).isInfinite();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void whatAStandardSaysNothingOfIsRefused(Criterion criterion, Values expected, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("output", expected).using(criterion))
                .withMessage(message);
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of(
                        Criterion.cosine(0.99),
                        Values.int32(1),
                        "output: the criterion \"cosine similarity\" does not cover int32, which is compared exactly."),
                Arguments.of(
                        Criterion.mixedTolerance(),
                        Values.float64(1),
                        "output: the criterion \"mixed tolerance\" does not cover float64. Choose another one, such as"
                                + " Criterion.close()."),
                Arguments.of(
                        Criterion.ulps(1),
                        Values.bool(true),
                        "output: bool is compared exactly, so ulps() cannot apply."));
    }

    @Test
    void impossibleBoundsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.ulps(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.cosine(1.5));
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.cosine(Double.NaN));
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.reduction(0));
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.close(-1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> Criterion.close().allowing(1));
    }

    private static Values values(DType type, double... numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return switch (type) {
            case FLOAT16 -> Values.float16(floats);
            case BFLOAT16 -> Values.bfloat16(floats);
            case FLOAT32 -> Values.float32(floats);
            default -> Values.float64(numbers);
        };
    }

    private static GoldenMismatchError failure(Golden golden, Values actual) {
        GoldenMismatchError[] error = new GoldenMismatchError[1];
        assertThatExceptionOfType(GoldenMismatchError.class)
                .isThrownBy(() -> golden.verify(actual))
                .satisfies(thrown -> error[0] = thrown);
        return error[0];
    }

    private static String criterionOf(Operation operation, DType type) {
        Values some = Values.filled(type, 1, memory -> {});
        return Golden.of("output", some)
                .using(Criterion.of(operation))
                .verify(some)
                .criterion();
    }

    @ParameterizedTest
    @CsvSource({
        "MOVE, FLOAT32, exact bits",
        "MOVE, INT32, exact bits",
        "ELEMENTWISE, BFLOAT16, allclose",
        "ELEMENTWISE, INT64, allclose",
        "ELEMENTWISE, FLOAT8_E5M2, 1 ulp",
        "REDUCTION, FLOAT16, reduction of 2 terms",
        "REDUCTION, FLOAT64, allclose",
        "REDUCTION, HIFLOAT8, 1 ulp",
        "REDUCTION, UINT8, allclose",
        "MATRIX_PRODUCT, FLOAT32, reduction of 2048 terms",
        "MATRIX_PRODUCT, BOOL, allclose",
        "QUANTIZATION, INT8, quantized",
        "QUANTIZATION, FLOAT8_E4M3FN, 1 ulp"
    })
    void anOperationHasACriterionForEachType(Operation operation, DType type, String criterion) {
        assertThat(criterionOf(operation, type)).isEqualTo(criterion);
    }

    @Test
    void nothingIsQuantizedToWideFloats() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> criterionOf(Operation.QUANTIZATION, DType.FLOAT32))
                .withMessage("output: quantized() compares integers, and these are float32.");
    }
}
