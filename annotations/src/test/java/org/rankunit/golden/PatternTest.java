package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.rankunit.DType;
import org.rankunit.RankBuffer;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.compare.Comparison;
import org.rankunit.golden.compare.Criteria;
import org.rankunit.golden.compare.Tolerance;
import org.rankunit.golden.pattern.NeverWritten;

/**
 * A pattern that is planted in random data is named; where one element does not fit, none is.
 *
 * <p>With two or three bits of fraction, sums and products are rounded too far for a pattern to be more than a coincidence.
 */
@Tag("unit")
class PatternTest {

    private static final int COUNT = 256;
    private static final int ROUNDS = 4;

    private final Random random = new Random(20261122);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void theDataOfAnotherRank(DType type) {
        Values[] expected = {randomValues(type), randomValues(type), randomValues(type), randomValues(type)};
        Golden golden = Golden.perRank("output", rank(1, 4), rank -> expected[rank]);

        assertThat(failure(golden, expected[2]))
                .hasMessageContaining(pattern("every differing element is what rank 2" + " should have"));
        assertThat(failure(golden, spoilt(expected[1], expected[2]))).hasMessageNotContaining("pattern");
        assertThat(failure(Golden.of("output", expected[1]), expected[2])).hasMessageNotContaining("pattern");
    }

    @Test
    void theInputOfARank() {
        Values[] expected = {randomValues(DType.FLOAT32), randomValues(DType.FLOAT32)};
        Values[] inputs = {randomValues(DType.FLOAT32), randomValues(DType.FLOAT32)};
        Golden golden =
                Golden.perRank("output", rank(1, 2), rank -> expected[rank]).withInput("x", rank -> inputs[rank]);

        assertThat(failure(golden, inputs[1]))
                .hasMessageContaining(pattern("every differing element is the input 'x' of rank 1"));
        assertThat(failure(golden, expected[0]))
                .hasMessageContaining(pattern("every differing element is what rank 0 should have"));
        assertThat(failure(golden, spoilt(expected[1], inputs[0]))).hasMessageNotContaining("pattern");
        assertThatIllegalStateException()
                .isThrownBy(() -> Golden.of("output", 1f).withInput("x", rank -> inputs[0]))
                .withMessage("output: withInput() needs a golden made by perRank().");
    }

    @Test
    void whatIsRoundedToFewerDigits() {
        float[] expected = random(COUNT);
        Golden golden = Golden.of("output", expected).within(0, 0);
        Values brains = Values.float32(Values.bfloat16(expected).toFloats());

        assertThat(failure(golden, Values.float32(Values.float16(expected).toFloats())))
                .hasMessageContaining(pattern("every differing element is what was expected, rounded to float16"));
        assertThat(failure(golden, brains))
                .hasMessageContaining(pattern("every differing element is what was expected, rounded to bfloat16"));
        assertThat(failure(golden, spoilt(Values.float32(expected), brains))).hasMessageNotContaining("rounded");
        double[] fine = random.doubles(9).toArray();
        double[] single = Arrays.stream(fine).map(x -> (float) x).toArray();
        assertThat(failure(Golden.of("output", fine).within(0, 0), Values.float64(single)))
                .hasMessageContaining(pattern("every differing element is what was expected, rounded to float32"));
    }

    @Test
    void aMatrixThatIsStoredByColumns() {
        float[] rows = random(6 * 4);
        float[] columns = new float[rows.length];
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 4; j++) {
                columns[j * 6 + i] = rows[i * 4 + j];
            }
        }
        Golden golden = Golden.of("output", rows);

        assertThat(failure(golden, new ReadOutput(Values.float32(columns), 6, 4)))
                .hasMessageContaining(
                        pattern("every differing element is that of the transposed matrix: the 6 x 4 elements"
                                + " are stored column by column"));
        assertThat(failure(golden, Values.float32(columns))).hasMessageNotContaining("transposed");
    }

    @Test
    void rowsThatAreSwapped() {
        float[] rows = random(5 * 4);
        float[] one = rows.clone();
        System.arraycopy(rows, 4, one, 12, 4);
        System.arraycopy(rows, 12, one, 4, 4);
        float[] two = rows.clone();
        System.arraycopy(rows, 0, two, 12, 8);
        System.arraycopy(rows, 12, two, 0, 8);
        Golden golden = Golden.of("output", rows);

        assertThat(failure(golden, new ReadOutput(Values.float32(one), 5, 4)))
                .hasMessageContaining(pattern("rows 1 and 3 are swapped"));
        assertThat(failure(golden, new ReadOutput(Values.float32(two), 5, 4)))
                .hasMessageContaining(pattern("rows [0, 2) and [3, 5) are swapped"));
        assertThat(failure(golden, Values.float32(one)))
                .hasMessageContaining(pattern("[4, 8) and [12, 16) are swapped"));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void columnsThatAreSwapped(DType type) {
        for (int round = 0; round < ROUNDS; round++) {
            double[] numbers = randomNumbers(type);
            Values expected = values(type, numbers);
            Golden golden = Golden.of("output", expected);
            Values one = values(type, swappedColumns(numbers, 16, 1, 3, 1));
            Values two = values(type, swappedColumns(numbers, 16, 2, 9, 5));

            assertThat(failure(golden, new ReadOutput(one, COUNT / 16, 16)))
                    .hasMessageContaining(pattern("columns 1 and 3 are swapped"));
            assertThat(failure(golden, new ReadOutput(two, COUNT / 16, 16)))
                    .hasMessageContaining(pattern("columns [2, 7) and [9, 14) are swapped"));
            assertThat(failure(golden, new ReadOutput(spoilt(expected, two), COUNT / 16, 16)))
                    .hasMessageNotContaining("swapped");
            assertThat(failure(golden, one)).hasMessageNotContaining("columns");
        }
    }

    private static double[] swappedColumns(double[] numbers, int columns, int first, int second, int size) {
        double[] swapped = numbers.clone();
        for (int i = 0; i < numbers.length; i++) {
            int column = i % columns;
            if (column >= first && column < first + size) {
                swapped[i] = numbers[i + second - first];
            } else if (column >= second && column < second + size) {
                swapped[i] = numbers[i - second + first];
            }
        }
        return swapped;
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void anotherOrderOfSummationIsAHint(DType type) {
        String hint = "ulp: as another order of summation would give";
        for (int round = 0; round < ROUNDS; round++) {
            double[][] terms = new double[7][];
            Arrays.setAll(terms, n -> random.doubles(COUNT, 1, 2).toArray());
            Values expected = summed(type, terms, 1);
            Values actual = summed(type, terms, -1);
            Golden golden = Golden.of("output", expected).exactBits();

            assertThat(failure(golden, actual))
                    .hasMessageContaining("  rounding ")
                    .hasMessageContaining(hint);
            assertThat(failure(golden, actual).getMessage())
                    .containsPattern("\\d+ elements, mostly by (\\d+ to )?\\d+ ulp");
            assertThat(failure(golden, oneStepUp(expected))).hasMessageNotContaining(hint);
            byte[] spoilt = actual.encode();
            spoilt[100 * type.byteSize() - 1] ^= 0x20;
            assertThat(failure(golden, Values.decode(type, spoilt))).hasMessageNotContaining(hint);
        }
    }

    /** Sums that are rounded at each step, from the first term to the last one or back. */
    private static Values summed(DType type, double[][] terms, int step) {
        Values sum = Values.rounded(type, new double[COUNT]);
        for (int n = step > 0 ? 0 : terms.length - 1; n >= 0 && n < terms.length; n += step) {
            Values before = sum;
            Values term = Values.rounded(type, terms[n]);
            sum = Values.rounded(
                    type,
                    IntStream.range(0, COUNT)
                            .mapToDouble(i -> before.doubleAt(i) + term.doubleAt(i))
                            .toArray());
        }
        return sum;
    }

    private static Values oneStepUp(Values values) {
        double step = switch (values.type()) {
            case FLOAT16 -> 0x1p-10;
            case BFLOAT16 -> 0x1p-7;
            case FLOAT32 -> 0x1p-23;
            default -> 0x1p-52;
        };
        return Values.rounded(
                values.type(),
                IntStream.range(0, values.count())
                        .mapToDouble(values::doubleAt)
                        .map(number -> number * (1 + step))
                        .toArray());
    }

    @Test
    void thePartOfOneRank() {
        float[] expected = random(12);
        float[] actual = expected.clone();
        Arrays.fill(actual, 4, 8, 0.5f);
        Values whole = Values.float32(expected);

        assertThat(failure(Golden.perRank("output", rank(0, 3), rank -> whole), Values.float32(actual)))
                .hasMessageContaining("all in [4, 8): one contiguous run, where the part of rank 1 would be");
        assertThat(failure(Golden.perRank("output", rank(0, 4), rank -> whole), Values.float32(actual)))
                .hasMessageContaining("all in [4, 8): one contiguous run\n");
    }

    private float[] random(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat();
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource
    void whatWasNeverWritten(DType type) {
        byte[] bytes = NeverWritten.fill(type, 4);
        Values expected = Values.decode(type, new byte[4 * type.byteSize()]);
        Golden golden = Golden.of("output", expected);
        String never = pattern("every differing element was never written");

        assertThat(failure(golden, ReadOutput.of(Values.decode(type, bytes)))).hasMessageContaining(never);
        assertThat(failure(golden, Values.decode(type, bytes))).hasMessageNotContaining(never);
        Arrays.fill(bytes, 0, type.byteSize(), (byte) 0x42);
        assertThat(failure(golden, ReadOutput.of(Values.decode(type, bytes)))).hasMessageNotContaining(never);
        Arrays.fill(bytes, 0, 3 * type.byteSize(), (byte) 0);
        if (type.byteSize() == 1 && type != DType.BOOL) {
            assertThat(failure(golden, ReadOutput.of(Values.decode(type, bytes))))
                    .as("a byte alone may be anything")
                    .hasMessageNotContaining(never);
        } else {
            assertThat(failure(golden, ReadOutput.of(Values.decode(type, bytes))))
                    .hasMessageContaining(never);
        }
    }

    private static GoldenMismatchError failure(Golden golden, Values actual) {
        return GoldenMessageTest.failure(golden, actual);
    }

    private static GoldenMismatchError failure(Golden golden, RankBuffer actual) {
        return catchThrowableOfType(GoldenMismatchError.class, () -> golden.verify(actual));
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"BOOL", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"})
    void swappedBlocks(DType type) {
        // 33 of 256: in any two blocks of these sizes some element differs from its partner, whatever the type.
        expect(type, pattern("[64, 97) and [128, 161) are swapped"), expected -> {
            expected[64] = expected[128] + 1;
            expected[96] = expected[160] + 1;
            return i -> expected[i >= 64 && i < 97 ? i + 64 : i >= 128 && i < 161 ? i - 64 : i];
        });
        expect(type, pattern("[0, 128) and [128, 256) are swapped"), expected -> {
            expected[0] = expected[128] + 1;
            expected[127] = expected[255] + 1;
            return i -> expected[(i + 128) % COUNT];
        });
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void aShiftedIndex(DType type) {
        expect(
                type,
                pattern("every differing element up to [254] is what was expected at index i + 1"),
                expected -> i -> i + 1 < COUNT ? expected[i + 1] : expected[i] + 3);
        expect(
                type,
                pattern("every differing element from [5] on is what was expected at index i - 5"),
                expected -> i -> i >= 5 ? expected[i - 5] : expected[i] + 3);
        expect(
                type,
                pattern("every differing element is what was expected at index i + 16"),
                expected -> i -> i >= 32 && i < 128 ? expected[i + 16] : expected[i]);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void aRotation(DType type) {
        expect(
                type,
                pattern("every differing element is what was expected at index (i + 64) mod 256"),
                expected -> i -> expected[(i + 64) % COUNT]);
        expect(
                type,
                pattern("every differing element is what was expected at index (i - 3) mod 256"),
                expected -> i -> expected[(i + COUNT - 3) % COUNT]);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64", "INT8", "INT16", "INT32", "INT64"})
    void aFlippedSign(DType type) {
        expect(
                type,
                pattern("every differing element has the other sign"),
                expected -> i -> i % 3 == 0 ? expected[i] : -expected[i]);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"BOOL", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"})
    void aConstantOffset(DType type) {
        String offset = type.isFloating() ? "7.0" : "7";
        expect(
                type,
                pattern("every differing element is expected + " + offset),
                expected -> i -> i % 2 == 0 ? expected[i] : expected[i] + 7);
        expect(type, pattern("every differing element is expected - " + offset), expected -> i -> expected[i] - 7);
    }

    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"BOOL", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"})
    void aConstantFactor(DType type) {
        String three = type.isFloating() ? "3.0" : "3";
        expect(type, pattern("every differing element is expected x " + three), expected -> i -> expected[i] * 3);
        expect(type, pattern("every differing element is expected / 3"), expected -> {
            for (int i = 0; i < COUNT; i++) {
                expected[i] *= 3;
            }
            return i -> expected[i] / 3;
        });
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void aFactorIsWrittenAsTheSimplestNumber(DType type) {
        expect(type, pattern("every differing element is expected x 0.5"), expected -> i -> expected[i] * 0.5);
        expect(type, pattern("every differing element is expected x 1.25"), expected -> i -> expected[i] * 1.25);
        expect(type, pattern("every differing element is expected x -2.0"), expected -> i -> expected[i] * -2);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void noiseHasNoPattern(DType type) {
        for (int round = 0; round < 10 * ROUNDS; round++) {
            Values expected = randomValues(type);
            assertThat(failure(Golden.of("output", expected), new ReadOutput(randomValues(type), COUNT / 16, 16)))
                    .hasMessageNotContaining("pattern")
                    .hasMessageNotContaining("summation");
        }
    }

    /** Rounding errors of a few steps are near to everything, and explained by nothing. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void roundingHasNoPattern(DType type) {
        for (int round = 0; round < 10 * ROUNDS; round++) {
            Values expected = randomValues(type);
            byte[] bytes = expected.encode();
            for (int i = 0; i < bytes.length; i += type.byteSize()) {
                bytes[i] ^= (byte) random.nextInt(8);
            }
            assertThat(failure(Golden.of("output", expected).within(0, 0), Values.decode(type, bytes)))
                    .hasMessageNotContaining("pattern");
        }
    }

    /** Digits, masks, ones among zeros, identifiers: a few random wrong elements are often what some pattern would give. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void aFewWrongElementsOfFewValuesHaveNoPattern(DType type) {
        for (int round = 0; round < 60; round++) {
            int values = new int[] {2, 3, 10, 100}[round % 4];
            boolean isOneHot = round % 5 == 0;
            int count = 16 << random.nextInt(4);
            double[][] data = new double[3][count];
            for (double[] each : data) {
                Arrays.setAll(each, i -> isOneHot ? i % 10 == random.nextInt(10) ? 1 : 0 : random.nextInt(values));
            }
            double[] actual = data[0].clone();
            for (int wrong = 3 + random.nextInt(14); wrong > 0; wrong--) {
                int index = random.nextInt(count);
                actual[index] = (data[0][index] + 1 + random.nextInt(values - 1)) % values;
            }
            Golden golden = Golden.perRank("output", rank(0, 2), rank -> values(type, data[rank]))
                    .withInput("x", rank -> values(type, data[2]));
            if (Arrays.equals(actual, data[0])) {
                continue;
            }
            for (Golden each : List.of(golden, golden.exactBits())) {
                assertThat(failure(each, new ReadOutput(values(type, actual), count / 8, 8))
                                .getMessage())
                        .as("%s, %s and %s", type, Arrays.toString(data[0]), Arrays.toString(actual))
                        .doesNotContain(
                                "every differing element is", "every differing element has", "swapped", "summation");
            }
        }
    }

    /** The same data, all of it in the wrong place or with the wrong sign. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "FLOAT32", "INT8", "INT32", "UINT8"})
    void dataOfFewValuesThatIsWrongAsAWholeHasAPattern(DType type) {
        for (int round = 0; round < ROUNDS; round++) {
            double[][] data = new double[2][COUNT];
            for (double[] each : data) {
                Arrays.setAll(each, i -> random.nextInt(10));
            }
            Golden golden = Golden.perRank("output", rank(0, 2), rank -> values(type, data[rank]));
            assertThat(failure(golden, values(type, data[1])))
                    .hasMessageContaining(pattern("every differing element is what rank 1 should have"));
            double[] shifted = new double[COUNT];
            Arrays.setAll(shifted, i -> data[0][(i + 7) % COUNT]);
            assertThat(failure(golden, values(type, shifted)))
                    .hasMessageContaining(
                            pattern("every differing element is what was expected at index (i + 7) mod 256"));
        }
    }

    /** The input of one rank is missing in a sum, or is there twice; in a part of the elements. */
    @ParameterizedTest
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"BOOL", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"})
    void aContributionIsMissingOrTwice(DType type) {
        double[][] inputs = new double[4][];
        double[] sums = new double[COUNT];
        for (int rank = 0; rank < 4; rank++) {
            inputs[rank] = random.doubles(COUNT, 1, 20)
                    .map(number -> type.isFloating() ? Math.rint(number * 8) / 8 : Math.rint(number))
                    .toArray();
            double[] input = inputs[rank];
            Arrays.setAll(sums, i -> sums[i] + input[i]);
        }
        double[] without = sums.clone();
        double[] twice = sums.clone();
        for (int i = 64; i < 128; i++) {
            without[i] -= inputs[2][i];
            twice[i] += inputs[1][i];
        }
        Golden golden = Golden.perRank("output", rank(0, 4), rank -> values(type, sums))
                .withInput("x", rank -> values(type, inputs[rank]));

        assertThat(failure(golden, values(type, without)))
                .hasMessageContaining(
                        pattern("every differing element is what was expected without the input 'x' of rank 2"));
        assertThat(failure(golden, values(type, twice)))
                .hasMessageContaining(pattern(
                        "every differing element is what was expected with the input 'x' of rank 1 added twice"));
        without[100] += 3;
        assertThat(failure(golden, values(type, without))).hasMessageNotContaining("pattern");
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void theReversedOrder(DType type) {
        expect(
                type,
                pattern("every differing element is what was expected in reversed order, at index 255 - i"),
                expected -> i -> expected[COUNT - 1 - i]);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "FLOAT16",
                "BFLOAT16",
                "FLOAT32",
                "FLOAT64",
                "INT16",
                "UINT16",
                "INT32",
                "UINT32",
                "INT64",
                "UINT64"
            })
    void theOtherOrderOfBytes(DType type) {
        Values expected = randomValues(type);
        byte[] bytes = expected.encode();
        byte[] swapped = new byte[bytes.length];
        int size = type.byteSize();
        Arrays.setAll(new Object[bytes.length], i -> swapped[i] = bytes[i / size * size + size - 1 - i % size]);
        Golden golden = Golden.of("output", expected).exactBits();

        assertThat(failure(golden, Values.decode(type, swapped)))
                .hasMessageContaining(
                        pattern("every differing element is what was expected with its bytes in the other order"));
        assertThat(failure(golden, spoilt(expected, Values.decode(type, swapped))))
                .hasMessageNotContaining("pattern");
    }

    @Test
    void truncatedToBfloat16() {
        float[] expected = random(COUNT);
        float[] truncated = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            truncated[i] = Float.intBitsToFloat(Float.floatToRawIntBits(expected[i]) & 0xffff_0000);
        }
        assertThat(failure(Golden.of("output", expected), Values.float32(truncated)))
                .hasMessageContaining(
                        pattern("every differing element is what was expected, truncated to bfloat16 and not rounded"));
    }

    @Test
    void aTileOfAMatrix() {
        float[] expected = random(64 * 32);
        float[] actual = expected.clone();
        for (int row = 16; row < 24; row++) {
            for (int column = 8; column < 16; column++) {
                actual[row * 32 + column] += 1 + random.nextFloat();
            }
        }
        Golden golden = Golden.of("output", expected);
        assertThat(failure(golden, new ReadOutput(Values.float32(actual), 64, 32)))
                .hasMessageContaining("64 of 2048 elements differ (3.1 %), all in rows [16, 24) x columns [8, 16)\n");
        assertThat(failure(golden, Values.float32(actual))).hasMessageContaining("8 in every 32");
        actual[20 * 32 + 10] = expected[20 * 32 + 10];
        assertThat(failure(golden, new ReadOutput(Values.float32(actual), 64, 32)))
                .hasMessageNotContaining("columns");
        float[] columns = expected.clone();
        for (int row = 0; row < 64; row++) {
            columns[row * 32 + 5] += 1;
        }
        assertThat(failure(golden, new ReadOutput(Values.float32(columns), 64, 32)))
                .hasMessageContaining("all in columns [5, 6)\n");
        float[] rows = expected.clone();
        for (int i = 64; i < 160; i++) {
            rows[i] += 1;
        }
        assertThat(failure(golden, new ReadOutput(Values.float32(rows), 64, 32)))
                .hasMessageContaining("all in [64, 160): one contiguous run, rows [2, 5)\n");
    }

    /** Elements in between that are right contradict a shift of all. */
    @Test
    void aShiftExplainsTheRightElementsToo() {
        double[] expected = new double[COUNT];
        Arrays.setAll(expected, i -> i * i);
        double[] actual = expected.clone();
        for (int i = 10; i < 200; i += 2) {
            actual[i] = expected[i + 1];
        }
        assertThat(failure(Golden.of("output", expected), Values.float64(actual)))
                .hasMessageNotContaining("expected at index");
        for (int i = 10; i < 200; i++) {
            actual[i] = expected[i + 1];
        }
        assertThat(failure(Golden.of("output", expected), Values.float64(actual)))
                .hasMessageContaining("is what was expected at index i + 1");
    }

    @Test
    void zerosOfTheOtherSignAreNoRoundingAndWereWritten() {
        float[] expected = random(64);
        float[] actual = expected.clone();
        for (int i = 3; i < 60; i += 7) {
            expected[i] = 0;
            actual[i] = -0f;
        }
        assertThat(failure(Golden.of("output", expected).exactBits(), Values.float32(actual)))
                .hasMessageContaining("zeros")
                .hasMessageNotContaining("written?")
                .hasMessageNotContaining("rounded");
    }

    @Test
    void subnormalNumbersThatBecameZeroAndOverflowsAreNoRounding() {
        float[] expected = random(64);
        float[] flushed = expected.clone();
        for (int i = 3; i < 60; i += 7) {
            expected[i] = 1e-40f * (i + 1);
            flushed[i] = 0;
        }
        for (Golden golden : List.of(
                Golden.of("output", expected).exactBits(),
                Golden.of("output", expected).within(0, 0))) {
            assertThat(failure(golden, Values.float32(flushed)))
                    .hasMessageContaining("9 elements were 0 where subnormal numbers (below 1.17549")
                    .hasMessageNotContaining("written?")
                    .hasMessageNotContaining("rounded");
        }
        float[] large = random(64);
        float[] infinite = large.clone();
        for (int i = 3; i < 60; i += 7) {
            large[i] = 1e38f + i * 1e36f;
            infinite[i] = Float.POSITIVE_INFINITY;
        }
        assertThat(failure(Golden.of("output", large), Values.float32(infinite)))
                .hasMessageNotContaining("rounded");
    }

    @Test
    void twoElementsOfManyAreNoPattern() {
        int[] expected = IntStream.range(0, COUNT).toArray();
        int[] actual = expected.clone();
        actual[10] += 5;
        actual[20] += 5;

        assertThat(failure(Golden.of("output", expected), Values.int32(actual))).hasMessageNotContaining("pattern");
    }

    @Test
    void anInfinityOrNanFitsNoNumber() {
        double[] expected = {1, Double.NaN, 3, Double.POSITIVE_INFINITY, 5};
        double[] actual = {2, 2, Double.NaN, 4, Double.NEGATIVE_INFINITY};

        assertThat(failure(Golden.of("output", expected), Values.float64(actual)))
                .hasMessageNotContaining("pattern");
    }

    @Test
    void whatOtherRanksShouldHaveIsAskedForOnlyWhereTheOutputIsWrong() {
        List<Integer> asked = new ArrayList<>();
        Golden golden = Golden.perRank("output", rank(1, 4), rank -> {
            asked.add(rank);
            return Values.int32(rank * 7001, rank * 3011 + 5, rank * 9007 + 9);
        });

        golden.verify(Values.int32(7001, 3016, 9016));
        assertThat(asked).containsExactly(1);

        assertThat(failure(golden, Values.int32(14_002, 6027, 18_023))).hasMessageContaining("what rank 2 should have");
        assertThat(asked).containsExactly(1, 0, 2);
    }

    @Test
    void aSettingOfAGoldenKeepsItsRanks() {
        Golden golden =
                Golden.perRank("output", rank(0, 2), rank -> Values.float32(rank * 0.7310585f, rank + 0.2689414f));

        for (Golden each : List.of(golden.within(0, 0), golden.nanEqualsNan(), golden.allowEmpty())) {
            assertThat(failure(each, Values.float32(0.7310585f, 1.2689414f)))
                    .hasMessageContaining("what rank 1 should have");
        }
    }

    @Test
    void ranksMayHaveOutputsOfDifferentSizesAndTypes() {
        IntFunction<Values> expected = rank -> switch (rank) {
            case 0 -> Values.int32(9);
            case 1 -> Values.int64(4, 5, 6);
            case 2 -> Values.int32(1, 2, 3);
            default -> Values.int32(40_113, 5, -67_001, 7);
        };

        assertThat(failure(Golden.perRank("output", rank(2, 4), expected), Values.int32(40_113, 5, -67_001)))
                .hasMessageContaining("what rank 3 should have");
    }

    @Test
    void aFunctionThatFailsForAnotherRankHidesNoMismatch() {
        IllegalStateException reason = new IllegalStateException("no rank 0 here");
        Golden golden = Golden.perRank("output", rank(1, 2), rank -> {
            if (rank == 0) {
                throw reason;
            }
            return Values.int32(1, 2, 3);
        });

        assertThat(failure(golden, Values.int32(4, 6, 8)))
                .hasMessageStartingWith("output: all 3 elements differ\n")
                .hasSuppressedException(reason);
    }

    /** Plant a pattern in random data; it must be named, and not any more once one differing element is something else. */
    private void expect(DType type, String text, Function<double[], IntToDoubleFunction> plant) {
        for (int round = 0; round < ROUNDS; round++) {
            double[] numbers = randomNumbers(type);
            IntToDoubleFunction planted = plant.apply(numbers);
            Values expected = values(type, numbers);
            Values actual =
                    values(type, IntStream.range(0, COUNT).mapToDouble(planted).toArray());
            Golden golden = Golden.of("output", expected);

            assertThat(failure(golden, actual)).hasMessageContaining(text + "\n");
            assertThat(failure(golden, spoilt(expected, actual))).hasMessageNotContaining("pattern");
        }
    }

    /** Change one differing element, from the middle third. */
    private Values spoilt(Values expected, Values actual) {
        int index = 85 + random.nextInt(85);
        while (!new Comparison(expected, actual, Criteria.of("x", Tolerance.defaultFor(expected.type())))
                .differs(index)) {
            index = 85 + (index - 84) % 85;
        }
        byte[] bytes = actual.encode();
        int size = actual.type().byteSize();
        // The third highest bit: another exponent of floating types, or a large number in integers.
        bytes[(index + 1) * size - 1] ^= 0x20;
        return Values.decode(actual.type(), bytes);
    }

    private Values randomValues(DType type) {
        return values(type, randomNumbers(type));
    }

    /** Not 0, and such that three times as much, or 8 more or less, is in the range of the type. */
    private double[] randomNumbers(DType type) {
        if (type.isFloating()) {
            return random.doubles(COUNT, 1, 10)
                    .map(number -> random.nextBoolean() ? number : -number)
                    .toArray();
        }
        return random.ints(COUNT, 8, type.byteSize() == 1 ? 40 : 10_000)
                .mapToDouble(number -> type.isUnsigned() || random.nextBoolean() ? number : -number)
                .toArray();
    }

    private static Values values(DType type, double[] numbers) {
        float[] floats = new float[numbers.length];
        int[] ints = new int[numbers.length];
        long[] longs = new long[numbers.length];
        short[] shorts = new short[numbers.length];
        byte[] bytes = new byte[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            floats[i] = (float) numbers[i];
            ints[i] = (int) numbers[i];
            longs[i] = (long) numbers[i];
            shorts[i] = (short) numbers[i];
            bytes[i] = (byte) numbers[i];
        }
        return switch (type) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT8_E4M3FN, FLOAT8_E5M2, HIFLOAT8 -> Values.rounded(type, floats);
            case FLOAT64 -> Values.float64(numbers);
            case INT8 -> Values.int8(bytes);
            case INT16 -> Values.int16(shorts);
            case INT32 -> Values.int32(ints);
            case INT64 -> Values.int64(longs);
            case UINT8 -> Values.uint8(ints);
            case UINT16 -> Values.uint16(ints);
            case UINT32 -> Values.uint32(longs);
            case UINT64 -> Values.uint64(longs);
            case BOOL -> throw new IllegalArgumentException("no pattern has booleans");
        };
    }

    private static String pattern(String text) {
        return "  " + text;
    }

    static RankContext rank(int rank, int count) {
        return (RankContext) Proxy.newProxyInstance(
                RankContext.class.getClassLoader(), new Class<?>[] {RankContext.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "rank" -> rank;
                        case "worldSize" -> count;
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }
}
