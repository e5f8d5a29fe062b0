package org.rankunit.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("unit")
class Float8Test {

    private static final float INF = Float.POSITIVE_INFINITY;

    static Stream<Float8> formats() {
        return Stream.of(Float8.E4M3FN, Float8.E5M2, Float8.HIFLOAT8);
    }

    /** Codes and values as the specifications list them. */
    static Stream<Arguments> listed() {
        return Stream.of(
                Arguments.of(
                        Float8.E4M3FN,
                        Map.of(
                                0x00, 0f, 0x01, 0x1p-9f, 0x07, 0x1.cp-7f, 0x08, 0x1p-6f, 0x38, 1f, 0x39, 1.125f, 0x7e,
                                448f, 0x7f, Float.NaN, 0xb8, -1f, 0xff, Float.NaN)),
                Arguments.of(
                        Float8.E5M2,
                        Map.of(
                                0x00,
                                0f,
                                0x01,
                                0x1p-16f,
                                0x03,
                                0x1.8p-15f,
                                0x04,
                                0x1p-14f,
                                0x3c,
                                1f,
                                0x3d,
                                1.25f,
                                0x7b,
                                57344f,
                                0x7c,
                                INF,
                                0x7d,
                                Float.NaN,
                                0xfc,
                                -INF)),
                // One of each field width, the smallest and the largest number, and the special values.
                Arguments.of(
                        Float8.HIFLOAT8,
                        Map.of(
                                0x00, 0f, 0x01, 0x1p-22f, 0x07, 0x1p-16f, 0x08, 1f, 0x0f, 1.875f, 0x10, 2f, 0x18, 0.5f,
                                0x6e, 32768f, 0x6f, INF, 0x80, Float.NaN)),
                Arguments.of(
                        Float8.HIFLOAT8,
                        Map.of(
                                0x20,
                                4f,
                                0x28,
                                8f,
                                0x30,
                                0.25f,
                                0x3f,
                                0x1.ep-3f,
                                0x40,
                                16f,
                                0x5f,
                                0x1.cp-7f,
                                0x60,
                                256f,
                                0x7f,
                                0x1.8p-15f,
                                0x81,
                                -0x1p-22f,
                                0xef,
                                -INF)));
    }

    @ParameterizedTest
    @MethodSource("listed")
    void codesHaveTheirListedValues(Float8 format, Map<Integer, Float> values) {
        values.forEach((code, value) ->
                assertThat(format.toFloat(code.byteValue())).as("0x%x", code).isEqualTo(value));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void everyCodeIsTheRoundingOfItsOwnValue(Float8 format) {
        for (int code = 0; code < 256; code++) {
            float value = format.toFloat((byte) code);
            byte again = format.fromFloat(value);
            if (Float.isNaN(value)) {
                assertThat(format.toFloat(again)).isNaN();
            } else {
                assertThat(again).as("0x%x, %s", code, value).isEqualTo((byte) code);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void numbersBecomeTheNearestOne(Float8 format) {
        Random random = new Random(8);
        for (int i = 0; i < 20_000; i++) {
            float value = (random.nextBoolean() ? 1 : -1) * Math.scalb(1 + random.nextFloat(), random.nextInt(30) - 22);
            float rounded = format.toFloat(format.fromFloat(value));
            if (!Float.isFinite(rounded)) {
                assertThat(Math.abs(value)).isGreaterThan(format == Float8.E4M3FN ? 464 : 40_000);
                continue;
            }
            for (int code = 0; code < 256; code++) {
                float other = format.toFloat((byte) code);
                if (Float.isFinite(other)) {
                    assertThat(Math.abs((double) rounded - value))
                            .as("%s became %s, and not %s", value, rounded, other)
                            .isLessThanOrEqualTo(Math.abs((double) other - value));
                }
            }
        }
    }

    @Test
    void halvesGoToEvenCodesOrAwayFromZero() {
        assertThat(Float8.E4M3FN.fromFloat(1.0625f)).isEqualTo((byte) 0x38);
        assertThat(Float8.E4M3FN.fromFloat(1.1875f)).isEqualTo((byte) 0x3a);
        assertThat(Float8.E4M3FN.fromFloat(0x1p-10f)).isEqualTo((byte) 0);
        assertThat(Float8.E5M2.fromFloat(-1.125f)).isEqualTo((byte) 0xbc);
        assertThat(Float8.HIFLOAT8.fromFloat(1.0625f)).isEqualTo((byte) 0x09);
        assertThat(Float8.HIFLOAT8.fromFloat(-0x1p-23f)).isEqualTo((byte) 0x81);
    }

    @Test
    void whatIsTooLargeBecomesNanOrInfinite() {
        assertThat(Float8.E4M3FN.fromFloat(464f)).isEqualTo((byte) 0x7e);
        assertThat(Float8.E4M3FN.fromFloat(Math.nextUp(464f))).isEqualTo((byte) 0x7f);
        assertThat(Float8.E4M3FN.toFloat(Float8.E4M3FN.fromFloat(-INF))).isNaN();
        assertThat(Float8.E5M2.fromFloat(Math.nextDown(61440f))).isEqualTo((byte) 0x7b);
        assertThat(Float8.E5M2.fromFloat(61440f)).isEqualTo((byte) 0x7c);
        assertThat(Float8.HIFLOAT8.fromFloat(Math.nextDown(40960f))).isEqualTo((byte) 0x6e);
        assertThat(Float8.HIFLOAT8.fromFloat(-40960f)).isEqualTo((byte) 0xef);
    }

    @Test
    void onlyOneZeroOfHiFloat8() {
        assertThat(Float8.HIFLOAT8.fromFloat(-0f)).isZero();
        assertThat(Float8.HIFLOAT8.fromFloat(Math.nextUp(-0x1p-23f))).isZero();
        assertThat(Float8.E5M2.fromFloat(-0f)).isEqualTo((byte) 0x80);
    }
}
