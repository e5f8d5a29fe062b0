package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;

/** What a person reads when an output is wrong. */
@Tag("unit")
class GoldenMessageTest {

    @Test
    void aContiguousRunIsNamedWithItsFirstAndWorstElements() {
        float[] expected = new float[256];
        float[] actual = new float[256];
        for (int i = 0; i < 256; i++) {
            expected[i] = 600 + 4 * i;
            actual[i] = i >= 64 && i < 128 ? expected[i] - (100 + i) : expected[i];
        }

        assertThat(failure(Golden.of("output", expected).within(1e-5, 1e-5), Values.float32(actual)))
                .hasMessage("""
                        output: 64 of 256 elements differ (25.0 %), all in [64, 128): one contiguous run
                          first      [64]   expected 856.0   was 692.0  difference 164.0  (allowed 0.00857)
                                     [65]   expected 860.0   was 695.0  difference 165.0  (allowed 0.00861)
                                     [66]   expected 864.0   was 698.0  difference 166.0  (allowed 0.00865)
                                     [67]   expected 868.0   was 701.0  difference 167.0  (allowed 0.00869)
                                     [68]   expected 872.0   was 704.0  difference 168.0  (allowed 0.00873)
                          worst      [127]  expected 1108.0  was 881.0  difference 227.0  (allowed 0.01109, relative 0.204874)
                          tolerance  rtol 1.0E-5, atol 1.0E-5""");
    }

    @Test
    void anElementOfAShapedOutputHasAnIndexInEachExtent() {
        Golden golden = Golden.of("output", 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        Values actual = Values.int32(0, 1, 2, 3, 4, 5, 6, 0, 8, 9, 10, 0);

        assertThatThrownBy(() -> golden.verify(new ReadOutput(actual, 2, 3, 2))).hasMessage("""
                        output: 2 of 12 elements differ (16.7 %), in 2 runs from [7] to [11]
                          first      [7] = [1, 0, 1]   expected 7   was 0  difference 7
                                     [11] = [1, 2, 1]  expected 11  was 0  difference 11
                          worst      [11] = [1, 2, 1]  expected 11  was 0  difference 11
                          pattern    every differing element was 0: was that part of the output written?
                          tolerance  none: int32 is compared exactly""");
        assertThatThrownBy(() -> golden.verify(new ReadOutput(actual, 12))).hasMessageContaining("[7]   expected 7");
    }

    @Test
    void bitsThatNumbersDoNotShowAreGiven() {
        Values actual = Values.float32(-0f, Float.intBitsToFloat(0x7fc0_0001), 2);

        assertThat(failure(Golden.of("output", 0f, Float.NaN, 2f).exactBits(), actual))
                .hasMessage("""
                        output: 2 of 3 elements differ (66.7 %), all in [0, 2): one contiguous run
                          first      [0]  expected 0.0               was -0.0
                                     [1]  expected NaN (0x7fc00000)  was NaN (0x7fc00001)
                          NaN        actual holds 1, the first at [1]
                          zeros      1 element is a zero of the other sign, -0.0 for 0.0 or the reverse: equal as numbers, not as bits
                          tolerance  none: bits are compared""");
    }

    @Test
    void theWorstElementsAreToldApart() {
        assertThat(failure(Golden.of("output", 100f, 1f, 0f).within(1e-2, 0), Values.float32(150, 2, 0.5f)))
                .hasMessage("""
                        output: all 3 elements differ
                          first           [0]  expected 100.0  was 150.0  difference 50.0  (allowed 1.0)
                                          [1]  expected 1.0    was 2.0    difference 1.0   (allowed 0.01)
                                          [2]  expected 0.0    was 0.5    difference 0.5   (allowed 0.0)
                          worst absolute  [0]  expected 100.0  was 150.0  difference 50.0  (allowed 1.0)
                          worst relative  [1]  expected 1.0    was 2.0    difference 1.0   (allowed 0.01, relative 1.0)
                          tolerance       rtol 0.01, atol 0.0""");
    }

    @Test
    void oneElementIsToldOnce() {
        assertThat(failure(Golden.of("output", 3f, 6f, 9f), Values.float32(3, 6, 8)))
                .hasMessage("""
                        output: 1 of 3 elements differs (33.3 %), at [2]
                          only       [2]  expected 9.0  was 8.0  difference 1.0  (allowed 2.17E-5)
                          tolerance  rtol 1.3E-6, atol 1.0E-5""");
        assertThat(failure(Golden.of("output", 3), Values.int32(4))).hasMessage("""
                        output: the only element differs
                          only       [0]  expected 3  was 4  difference 1
                          tolerance  none: int32 is compared exactly""");
    }

    @Test
    void anOutputNeverWrittenIsSuspected() {
        assertThat(failure(Golden.of("output", 1, 2, 3), Values.int32(0, 0, 0))).hasMessage("""
                        output: all 3 elements differ
                          first      [0]  expected 1  was 0  difference 1
                                     [1]  expected 2  was 0  difference 2
                                     [2]  expected 3  was 0  difference 3
                          worst      [2]  expected 3  was 0  difference 3
                          pattern    every differing element was 0: was that part of the output written?
                          tolerance  none: int32 is compared exactly""");
        assertThat(failure(Golden.of("output", 1, 2), Values.int32(7, 7)))
                .hasMessageContaining("pattern    every differing element was 7\n");
        assertThat(failure(Golden.of("output", 1, 2), Values.int32(7, 8))).hasMessageNotContaining("pattern");
    }

    @Test
    void nanIsCountedOnBothSides() {
        Values actual = Values.float32(Float.NaN, 2, Float.NaN, Float.NEGATIVE_INFINITY);

        assertThat(failure(Golden.of("output", 1, 2, Float.NaN, 1), actual)).hasMessage("""
                        output: 3 of 4 elements differ (75.0 %), in 2 runs from [0] to [3]
                          first      [0]  expected 1.0  was NaN
                                     [2]  expected NaN  was NaN
                                     [3]  expected 1.0  was -Infinity  difference Infinity  (allowed 1.13E-5)
                          worst      [3]  expected 1.0  was -Infinity  difference Infinity  (allowed 1.13E-5, relative Infinity)
                          NaN        actual holds 2, the first at [0]
                                     expected holds 1; NaN matches nothing unless nanEqualsNan() is set
                          tolerance  rtol 1.3E-6, atol 1.0E-5""");
        assertThat(failure(Golden.of("output", 1, 2, Float.NaN, 1).nanEqualsNan(), actual))
                .hasMessageStartingWith("output: 2 of 4 elements differ (50.0 %), in 2 runs from [0] to [3]\n")
                .hasMessageContaining("actual holds 2, the first at [0]\n")
                .hasMessageNotContaining("expected holds")
                .hasMessageEndingWith("rtol 1.3E-6, atol 1.0E-5, NaN equals NaN");
        assertThat(failure(Golden.of("output", Float.NaN, 1), Values.float32(1, 1)))
                .hasMessageContaining(
                        "  NaN        the golden holds NaN at 1 element where the output is finite, the first at [0]\n")
                .hasMessageNotContaining("nanEqualsNan");
    }

    @Test
    void aGoldenThatIsNotFiniteIsNamedWhereTheOutputIs() {
        float infinity = Float.POSITIVE_INFINITY;
        Golden golden = Golden.of("output", 1, Float.NaN, infinity, Float.NaN, -infinity, Float.NaN, infinity);
        Values actual = Values.float32(1, 1, 1, 1, 1, Float.NaN, infinity);

        for (Golden each : List.of(golden.nanEqualsNan(), golden.exactBits())) {
            assertThat(failure(each, actual))
                    .hasMessageContaining(
                            "the golden holds NaN at 2 elements where the output is finite, the first at [1]\n")
                    .hasMessageContaining(
                            "the golden holds an infinity at 2 elements where the output is finite, the first at [2]\n")
                    .hasMessageNotContaining("NaN matches nothing");
        }
        assertThat(failure(golden, actual))
                .hasMessageContaining("the golden holds NaN at 2 elements")
                .hasMessageContaining("expected holds 3; NaN matches nothing unless nanEqualsNan() is set");
        assertThat(failure(Golden.of("output", 1, infinity), Values.float32(2, infinity)))
                .hasMessageNotContaining("the golden holds");
    }

    @Test
    void anInfinityThatWasExpectedAllowsNothingElse() {
        assertThat(failure(Golden.of("output", Double.POSITIVE_INFINITY), Values.float64(1)))
                .hasMessage("""
                        output: the only element differs
                          only       [0]  expected Infinity  was 1.0  difference Infinity
                          infinity   the golden holds an infinity at 1 element where the output is finite, the first at [0]
                          tolerance  rtol 1.0E-7, atol 1.0E-7""");
    }

    @Test
    void booleansAreShownWithoutNumbers() {
        Values actual = Values.decode(DType.BOOL, new byte[] {0, 1, (byte) 0xab});

        assertThat(failure(Golden.of("mask", true, true, true), actual)).hasMessage("""
                        mask: 2 of 3 elements differ (66.7 %), in 2 runs from [0] to [2]
                          first      [0]  expected true  was false
                                     [2]  expected true  was 0xab
                          tolerance  none: bool is compared exactly""");
    }

    @Test
    void evenSpacingIsNamed() {
        int[] actual = new int[100];
        IntStream.rangeClosed(0, 9).forEach(i -> actual[3 + 8 * i] = i + 1);

        assertThat(failure(Golden.of("ids", new int[100]), Values.int32(actual)))
                .hasMessageStartingWith(
                        "ids: 10 of 100 elements differ (10.0 %), one in every 8 from [3] to [75]\n  first ");
    }

    @Test
    void evenlySpacedRunsAreNamed() {
        assertThat(wrongWhere(i -> i % 16 >= 4 && i % 16 < 8)).startsWith("4 in every 16 from [4] to [247]\n");
        assertThat(wrongWhere(i -> i % 100 < 60)).startsWith("60 in every 100 from [0] to [255]\n");
        assertThat(wrongWhere(i -> i % 16 < 4 && i != 83)).startsWith("in 16 runs from [0] to [243]\n");
        assertThat(wrongWhere(i -> i % 16 < 4 && i != 243)).startsWith("in 16 runs from [0] to [242]\n");
        assertThat(wrongWhere(i -> i % 16 < 4 || i == 244)).startsWith("in 16 runs from [0] to [244]\n");
        assertThat(wrongWhere(i -> i % 16 < 4 && i != 32)).startsWith("in 16 runs from [0] to [243]\n");
        assertThat(wrongWhere(i -> i % 16 < 4 && i < 32)).startsWith("in 2 runs from [0] to [19]\n");
    }

    /** What is said of the places of these wrong elements. */
    private static String wrongWhere(IntPredicate wrong) {
        int[] actual =
                IntStream.range(0, 256).map(i -> wrong.test(i) ? i + 1 : 0).toArray();
        String message = String.valueOf(
                failure(Golden.of("ids", new int[256]), Values.int32(actual)).getMessage());
        return message.substring(message.indexOf("), ") + 3);
    }

    @Test
    void otherPatternsAreCountedInRuns() {
        int[] actual = new int[100];
        for (int i : new int[] {3, 4, 5, 50, 98, 99}) {
            actual[i] = i;
        }

        assertThat(failure(Golden.of("ids", new int[100]), Values.int32(actual)))
                .hasMessageStartingWith("ids: 6 of 100 elements differ (6.0 %), in 3 runs from [3] to [99]\n");
    }

    @Test
    void aPartIsNeverRoundedToNoneOrAll() {
        int[] one = new int[1_000_000];
        one[123_456] = 5;
        int[] allButOne = new int[1_000_000];
        IntStream.range(1, 1_000_000).forEach(i -> allButOne[i] = i);

        assertThat(failure(Golden.of("ids", new int[1_000_000]), Values.int32(one)))
                .hasMessage("""
                        ids: 1 of 1000000 elements differs (< 0.1 %), at [123456]
                          only       [123456]  expected 0  was 5  difference 5
                          tolerance  none: int32 is compared exactly""");
        assertThat(failure(Golden.of("ids", new int[1_000_000]), Values.int32(allButOne)))
                .hasMessageStartingWith("ids: 999999 of 1000000 elements differ (> 99.9 %), all in [1, 1000000): one");
    }

    @Test
    void numbersThatAreShownAddUp() {
        assertThat(failure(Golden.of("output", Values.float16(64.125f)), Values.float16(64.375f)))
                .hasMessageContaining("expected 64.125  was 64.375  difference 0.25 = 4 ulp  (allowed 0.064135)");
        assertThat(failure(Golden.of("output", 1.0000001f).within(0, 0), Values.float32(1.0000002f)))
                .hasMessageContaining("expected 1.0000001192  was 1.0000002384  difference 1.192E-7 = 1 ulp  (allowed");
        assertThat(failure(Golden.of("output", Float.MAX_VALUE).within(0, 0), Values.float32(3.4028233e38f)))
                .hasMessageContaining("expected 3.4028234664E38  was 3.4028232636E38  difference 2.028E31 = 1 ulp");
        assertThat(failure(Golden.of("output", Values.float16(60000)), Values.float16(60096)))
                .hasMessageContaining("expected 60000.0  was 60096.0  difference 96.0 = 3 ulp  (allowed 60.0)");
    }

    @Test
    void fewUnitsInTheLastPlaceAreCounted() {
        assertThat(failure(Golden.of("output", 16384f).within(0, 0), Values.float32(16384.002f)))
                .hasMessageContaining("expected 16384.0  was 16384.001953  difference 0.001953 = 1 ulp");
        assertThat(failure(Golden.of("output", 0.0).within(0, 0), Values.float64(-3 * Double.MIN_VALUE)))
                .hasMessageContaining(" = 3 ulp");
        assertThat(failure(Golden.of("output", 1f).within(0, 0), Values.float32(1 + 0x11p-23f)))
                .hasMessageNotContaining("ulp");
        assertThat(failure(Golden.of("output", 1.0), Values.float64(-1.0))).hasMessageNotContaining("ulp");
        assertThat(failure(Golden.of("output", Double.MAX_VALUE), Values.float64(-Double.MAX_VALUE)))
                .hasMessageNotContaining("ulp");
    }

    @Test
    void aZeroOfTheOtherSignIsToldWhereNoDifferenceIsAllowed() {
        Values actual = Values.float32(0f, -0f, -0f, 5f);

        assertThat(failure(Golden.of("output", -0f, 0f, -0f, 4f).within(0, 0), actual))
                .hasMessageContaining(
                        "  zeros      2 elements are zeros of the other sign, -0.0 for 0.0 or the reverse:"
                                + " equal as numbers, not as bits\n");
        assertThat(failure(Golden.of("output", -0f, 0f, -0f, 4f), actual)).hasMessageNotContaining("zeros");
        assertThat(failure(Golden.of("output", 0f, -0f, -0f, 4f).within(0, 0), actual))
                .hasMessageNotContaining("zeros");
    }

    @Test
    void aDifferenceJustBeyondTheAllowedOneIsShownInFull() {
        assertThat(failure(Golden.of("output", 0.0).within(0, 1e-3), Values.float64(Math.nextUp(1e-3))))
                .hasMessageContaining("difference 0.0010000000000000002  (allowed 0.001)");
    }

    @Test
    void theWorstIsTakenFromTheMismatchesAlone() {
        // Element 0 is further off than element 1, but within its tolerance.
        assertThat(failure(Golden.of("output", 1e6, 1.0, 2.0).within(1e-2, 0), Values.float64(1.009e6, 1.5, 4)))
                .hasMessageContaining(
                        "worst      [2]  expected 2.0  was 4.0  difference 2.0  (allowed 0.02, relative 1.0)");
    }

    @Test
    void messagesAreTheSameInEveryLocale() {
        Locale former = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            oneElementIsToldOnce();
            nanIsCountedOnBothSides();
        } finally {
            Locale.setDefault(former);
        }
    }

    @Test
    void theDifferenceViewOfAnIdeGetsOneLinePerMismatch() {
        GoldenMismatchError error = failure(Golden.of("output", 1f, 2f, 3f), Values.float32(1, 0, 4));

        assertThat(error.getExpected().getValue()).isEqualTo("[1] 2.0\n[2] 3.0");
        assertThat(error.getActual().getValue()).isEqualTo("[1] 0.0\n[2] 4.0");
    }

    @Test
    void theTextsForAnIdeAreBounded() {
        int[] actual = new int[1_000_000];
        GoldenMismatchError error = failure(Golden.of("output", onesLike(actual)), Values.int32(actual));

        assertThat((String) error.getActual().getValue())
                .hasLineCount(101)
                .startsWith("[0] 0\n[1] 0\n")
                .endsWith("[99] 0\n... and 999900 more");
        assertThat(error.getMessage()).hasSizeLessThan(1000);
    }

    private static int[] onesLike(int[] array) {
        return IntStream.range(0, array.length).map(i -> 1).toArray();
    }

    static GoldenMismatchError failure(Golden golden, Values actual) {
        GoldenMismatchError error = catchThrowableOfType(GoldenMismatchError.class, () -> golden.verify(actual));
        assertThat(error).as("the failure of %s", golden).isNotNull();
        return error;
    }
}
