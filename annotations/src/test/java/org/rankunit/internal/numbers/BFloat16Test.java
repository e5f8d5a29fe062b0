package org.rankunit.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class BFloat16Test {

    private static final int PATTERNS = 1 << 16;

    @Test
    void everyPatternSurvivesWideningAndNarrowing() {
        for (int bits = 0; bits < PATTERNS; bits++) {
            assertThat(BFloat16.fromFloat(BFloat16.toFloat((short) bits)))
                    .as("0x%04x", bits)
                    .isEqualTo((short) bits);
        }
    }

    @Test
    void anyFloatRoundsToTheNearestWithTiesToEven() {
        Random random = new Random(20261121);
        for (int i = 0; i < 1_000_000; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (!Float.isNaN(value) && BFloat16.fromFloat(value) != nearest(value)) {
                throw new AssertionError(value + " became " + Integer.toHexString(BFloat16.fromFloat(value)));
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.0, 0000",
        "-0.0, 8000",
        "1.0, 3f80",
        "-2.0, c000",
        "3.140625, 4049",
        "Infinity, 7f80",
        "-Infinity, ff80",
        "3.4028235E38, 7f80",
        "3.3895314E38, 7f7f",
        "-3.4028235E38, ff80",
        "NaN, 7fc0",
        "1.4E-45, 0000",
        "9.1835496E-41, 0001",
        "1.00390625, 3f80",
        "1.01171875, 3f82"
    })
    void wellKnownValues(float value, String bits) {
        assertThat(BFloat16.fromFloat(value)).isEqualTo((short) Integer.parseInt(bits, 16));
    }

    @Test
    void aNanStaysOneEvenIfItsPayloadIsLost() {
        float payloadInTheLastBit = Float.intBitsToFloat(0xff800001);

        assertThat(BFloat16.toFloat(BFloat16.fromFloat(payloadInTheLastBit))).isNaN();
    }

    /** By exact distances to the two neighbours; the one above the largest stands for 2^128. */
    private static short nearest(float value) {
        short lower = (short) (Float.floatToRawIntBits(value) >>> 16);
        short upper = (short) (lower + 1);
        if (Float.isInfinite(value)) {
            return lower;
        }
        BigDecimal magnitude = new BigDecimal(Math.abs((double) value));
        int order = magnitude
                .subtract(magnitudeOf(lower))
                .compareTo(magnitudeOf(upper).subtract(magnitude));
        if (order == 0) {
            return lower % 2 == 0 ? lower : upper;
        }
        return order < 0 ? lower : upper;
    }

    private static BigDecimal magnitudeOf(short bits) {
        double magnitude = Math.abs((double) BFloat16.toFloat(bits));
        return new BigDecimal(Double.isInfinite(magnitude) ? 0x1p128 : magnitude);
    }
}
