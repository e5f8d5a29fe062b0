package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertAll;
import static org.rankunit.golden.GoldenMessageTest.failure;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.Values;

/** What passes and what does not. */
@Tag("unit")
class GoldenTest {

    private static final float NAN = Float.NaN;
    private static final float INF = Float.POSITIVE_INFINITY;

    @ParameterizedTest
    @EnumSource
    void everyTypeIsCompared(DType type) {
        byte[] bytes = new byte[3 * type.byteSize()];
        byte[] other = new byte[3 * type.byteSize()];
        other[bytes.length - 1] = 1;
        Golden golden = Golden.of("output", Values.decode(type, bytes)).within(0, 0);

        assertThat(golden.verify(Values.decode(type, bytes)))
                .isEqualTo(new GoldenSummary(
                        "output", type, 3, 0, 0, 0, 0, 0, -1, 0, -1, 0, 0, "allclose", List.of(), List.of(), null));
        assertThat(failure(golden, Values.decode(type, other)).summary().mismatches())
                .isEqualTo(1);
    }

    @Test
    void theNaturalTypeOfAnArrayIsExpected() {
        Golden.of("output", 1f).verify(Values.float32(1));
        Golden.of("output", 1.0).verify(Values.float64(1));
        Golden.of("output", (byte) 1).verify(Values.int8((byte) 1));
        Golden.of("output", (short) 1).verify(Values.int16((short) 1));
        Golden.of("output", 1).verify(Values.int32(1));
        Golden.of("output", 1L).verify(Values.int64(1));
        Golden.of("output", true).verify(Values.bool(true));
    }

    @Test
    void aNanIsAMismatchUnlessItMayEqualItself() {
        assertThat(failure(Golden.of("output", 1f), Values.float32(NAN))
                        .summary()
                        .mismatches())
                .isEqualTo(1);
        assertThat(failure(Golden.of("output", NAN), Values.float32(NAN))
                        .summary()
                        .mismatches())
                .isEqualTo(1);
        assertThat(failure(Golden.of("output", NAN), Values.float32(1))
                        .summary()
                        .mismatches())
                .isEqualTo(1);
        assertThat(Golden.of("output", NAN)
                        .nanEqualsNan()
                        .verify(Values.float32(NAN))
                        .passed())
                .isTrue();
        assertThat(failure(Golden.of("output", NAN).nanEqualsNan(), Values.float32(1))
                        .summary()
                        .passed())
                .isFalse();
        assertThat(failure(Golden.of("output", 1f).nanEqualsNan(), Values.float32(NAN))
                        .summary()
                        .passed())
                .isFalse();
    }

    @Test
    void noToleranceIsWideEnoughForNan() {
        Golden wide = Golden.of("output", 1.0).within(Double.MAX_VALUE, Double.MAX_VALUE);

        assertThat(failure(wide, Values.float64(Double.NaN)).summary().mismatches())
                .isEqualTo(1);
    }

    @Test
    void anInfinityEqualsOnlyTheSameOne() {
        Golden.of("output", INF, -INF).within(1, 1).verify(Values.float32(INF, -INF));
        assertThat(failure(Golden.of("output", INF).within(1, 1), Values.float32(-INF))
                        .summary()
                        .maxAbsolute())
                .isInfinite();
        assertThat(failure(Golden.of("output", INF).within(1, 1), Values.float32(Float.MAX_VALUE))
                        .summary()
                        .passed())
                .isFalse();
        assertThat(failure(Golden.of("output", 1f).within(1, 1), Values.float32(INF))
                        .summary()
                        .passed())
                .isFalse();
    }

    @Test
    void theZerosAreEqual() {
        Golden.of("output", 0f, -0f).within(0, 0).verify(Values.float32(-0f, 0f));
    }

    @Test
    void nothingIsBroadcastOrCut() {
        assertThat(failure(Golden.of("output", 1f), Values.float32(1, 1, 1, 1)))
                .hasMessage("output: expected 1 x float32, was 4 x float32");
        assertThat(failure(Golden.of("output", new float[256]), Values.float32(new float[255])))
                .hasMessage("output: expected 256 x float32, was 255 x float32");
    }

    @Test
    void nothingIsConverted() {
        GoldenMismatchError error = failure(Golden.of("output", 1f), Values.float16(1));

        assertThat(error).hasMessage("output: expected 1 x float32, was 1 x float16");
        assertThat(error.getExpected().getValue()).isEqualTo("1 x float32 [1.0]");
        assertThat(error.getActual().getValue()).isEqualTo("1 x float16 [1.0]");
        assertThat(error.summary())
                .isEqualTo(new GoldenSummary(
                        "output",
                        DType.FLOAT32,
                        1,
                        1,
                        0,
                        0,
                        0,
                        0,
                        -1,
                        0,
                        -1,
                        1.3e-6,
                        1e-5,
                        "allclose",
                        List.of(),
                        List.of(),
                        null));
        assertThat(failure(Golden.of("output", 1), Values.decode(DType.UINT32, new byte[] {1, 0, 0, 0})))
                .hasMessage("output: expected 1 x int32, was 1 x uint32");
    }

    @Test
    void nothingToCompareIsAFailureUnlessAllowed() {
        Golden empty = Golden.of("tail", new float[0]);

        assertThat(failure(empty, Values.float32()))
                .hasMessage(
                        "tail: expected 0 x float32, so nothing was compared. If that is intended, call allowEmpty().")
                .extracting(error -> error.summary().passed())
                .isEqualTo(false);
        assertThat(empty.allowEmpty().verify(Values.float32()).passed()).isTrue();
        assertThat(failure(empty.allowEmpty(), Values.float32(1)))
                .hasMessage("tail: expected 0 x float32, was 1 x float32");
        assertThat(failure(Golden.of("tail", 1f).allowEmpty(), Values.float32()))
                .hasMessage("tail: expected 1 x float32, was 0 x float32");
    }

    @Test
    void integersAreComparedExactlyHoweverLargeTheyAre() {
        assertThat(failure(Golden.of("ids", 1_000_000), Values.int32(1_000_001)))
                .hasMessageContaining("difference 1\n");
        assertThat(failure(Golden.of("ids", (1L << 53) + 1), Values.int64(1L << 53)))
                .hasMessageContaining("expected 9007199254740993  was 9007199254740992  difference 1\n");
        assertThat(failure(Golden.of("ids", Values.uint64(-1)), Values.uint64(-2)))
                .hasMessageContaining("expected 18446744073709551615  was 18446744073709551614  difference 1\n");
    }

    @Test
    void differencesOfIntegersDoNotWrapAround() {
        assertThat(failure(Golden.of("output", Values.uint8(0)), Values.uint8(255)))
                .hasMessageContaining("expected 0  was 255  difference 255\n");
        assertThat(failure(Golden.of("output", (byte) -128), Values.int8((byte) 127)))
                .hasMessageContaining("expected -128  was 127  difference 255\n");
        assertThat(failure(Golden.of("output", Integer.MIN_VALUE), Values.int32(Integer.MAX_VALUE)))
                .hasMessageContaining("difference 4294967295\n");
        assertThat(failure(Golden.of("output", Values.uint64(0)), Values.uint64(-1)))
                .hasMessageContaining("difference 18446744073709551615\n");
        GoldenMismatchError widest = failure(Golden.of("output", Long.MAX_VALUE), Values.int64(Long.MIN_VALUE));
        assertThat(widest).hasMessageContaining("difference 18446744073709551615\n");
        assertThat(widest.summary().maxAbsolute()).isEqualTo(0x1p64);
        assertThat(widest.summary().maxRelative()).isEqualTo(2);
    }

    @Test
    void theWorstOfTwoDifferencesThatRoundToTheSameDoubleIsFound() {
        GoldenSummary summary = failure(Golden.of("output", 0L, 0L), Values.int64((1L << 60) + 1, (1L << 60) + 2))
                .summary();

        assertThat(summary.maxAbsoluteIndex()).isEqualTo(1);
        assertThat(summary.maxRelativeIndex()).isEqualTo(-1);
    }

    @Test
    void aToleranceOnIntegersIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("ids", Values.int32(1)).within(1e-5, 0))
                .withMessage(
                        "ids: int32 is compared exactly, so within(1.0E-5, 0.0) cannot apply. Leave it out, or give 0, 0.");
        Golden numbers = Golden.of("ids", 1).within(1e-5, 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> numbers.verify(Values.int32(1)))
                .withMessageStartingWith("ids: int32 is compared exactly, so within(1.0E-5, 0.0) cannot apply.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("mask", true).within(0, 1))
                .withMessageStartingWith("mask: bool is compared exactly, so within(0.0, 1.0)");
        assertThat(Golden.of("ids", 1).within(0, 0).verify(Values.int32(1)).passed())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(doubles = {-1e-9, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void aToleranceThatIsNoneIsRefusedWithItsValue(double bad) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("output", 1f).within(bad, 0))
                .withMessage("output: rtol is " + bad + "; it must be finite and at least 0.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of("output", 1f).within(0, bad))
                .withMessage("output: atol is " + bad + "; it must be finite and at least 0.");
    }

    @Test
    void aBlankNameIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Golden.of(" ", 1))
                .withMessage("A golden needs a name that identifies its output; the name is blank.");
    }

    @ParameterizedTest
    @CsvSource({"FLOAT16, 1e-3, 1e-5", "BFLOAT16, 1.6e-2, 1e-5", "FLOAT32, 1.3e-6, 1e-5", "FLOAT64, 1e-7, 1e-7"})
    void theDefaultToleranceIsThatOfAssertClose(DType type, double rtol, double atol) {
        Values zero = Values.decode(type, new byte[type.byteSize()]);

        GoldenSummary summary = Golden.of("output", zero).verify(zero);

        assertThat(summary.rtol()).isEqualTo(rtol);
        assertThat(summary.atol()).isEqualTo(atol);
    }

    @Test
    void theToleranceIncludesItsBound() {
        Golden golden = Golden.of("output", 8.0).within(0.25, 0.5);

        golden.verify(Values.float64(10.5));
        golden.verify(Values.float64(5.5));
        assertThat(failure(golden, Values.float64(Math.nextUp(10.5))).summary().mismatches())
                .isEqualTo(1);
        assertThat(failure(golden, Values.float64(Math.nextDown(5.5))).summary().mismatches())
                .isEqualTo(1);
    }

    @Test
    void theRelativePartIsMeasuredOnTheExpectedValue() {
        Golden.of("output", 100.0).within(0.5, 0).verify(Values.float64(50));
        assertThat(failure(Golden.of("output", 50.0).within(0.5, 0), Values.float64(100))
                        .summary()
                        .passed())
                .isFalse();
    }

    @Test
    void aDifferenceBeyondTheRangeOfDoubleIsStillCompared() {
        double huge = Double.MAX_VALUE;

        Golden.of("output", huge).within(2, 0).verify(Values.float64(-huge));
        assertThat(failure(Golden.of("output", huge).within(1.9, 0), Values.float64(-huge))
                        .summary()
                        .passed())
                .isFalse();
    }

    @Test
    void aPassingSummaryShowsTheMargin() {
        assertThat(Golden.of("output", 100.0, 1.0, 0.0).within(0.1, 0.1).verify(Values.float64(101, 1.0625, 0.01)))
                .isEqualTo(new GoldenSummary(
                        "output",
                        DType.FLOAT64,
                        3,
                        0,
                        0,
                        0,
                        3,
                        1,
                        0,
                        0.0625,
                        1,
                        0.1,
                        0.1,
                        "allclose",
                        List.of(),
                        List.of(),
                        null));
    }

    @Test
    void goldensDoNotChange() {
        Golden golden = Golden.of("output", 1f);
        golden.within(1, 1);
        golden.nanEqualsNan();

        assertThat(failure(golden, Values.float32(2)).summary().rtol()).isEqualTo(1.3e-6);
        assertThat(golden).hasToString("Golden output: 1 x float32 [1.0]");
    }

    @Test
    void everyWrongOutputOfAGroupIsReported() {
        assertThatThrownBy(() -> assertAll(
                        () -> Golden.of("first", 1).verify(Values.int32(2)),
                        () -> Golden.of("second", 3).verify(Values.int32(4))))
                .hasMessageContaining("first: the only element differs")
                .hasMessageContaining("second: the only element differs");
    }

    @Test
    void theErrorCanBeSentToAnotherProcess() throws Exception {
        GoldenMismatchError error = failure(Golden.of("output", 1f), Values.float32(2));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(error);
        }

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((GoldenMismatchError) in.readObject()).summary()).isEqualTo(error.summary());
        }
    }

    @ParameterizedTest
    @EnumSource
    void bitsAreComparedOnDemand(DType type) {
        byte[] bytes = new byte[2 * type.byteSize()];
        bytes[0] = 1;
        Golden golden = Golden.of("output", Values.decode(type, bytes)).exactBits();

        assertThat(golden.verify(Values.decode(type, bytes)).passed()).isTrue();
        bytes[bytes.length - 1] = (byte) 0x80; // the sign of a zero
        assertThat(failure(golden, Values.decode(type, bytes)).summary().mismatches())
                .isEqualTo(1);
    }

    @Test
    void aNanEqualsOneWithTheSameBits() {
        Golden golden = Golden.of("output", Float.NaN).exactBits();

        assertThat(golden.verify(Values.float32(Float.NaN)).passed()).isTrue();
        assertThatThrownBy(golden::nanEqualsNan)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "output: exactBits() compares the bits of NaN too, so nanEqualsNan() cannot apply. Leave out"
                                + " one.");
        assertThat(failure(golden.within(1e-3, 0), Values.float32(Float.NaN)))
                .as("the last one holds")
                .hasMessageContaining("rtol 0.001");
    }
}
