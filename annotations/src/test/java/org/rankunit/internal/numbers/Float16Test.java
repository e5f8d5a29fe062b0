package org.rankunit.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class Float16Test {

    private static final int PATTERNS = 1 << 16;

    @Test
    void everyPatternSurvivesWideningAndNarrowing() {
        for (int bits = 0; bits < PATTERNS; bits++) {
            assertThat(Float16.fromFloat(Float16.toFloat((short) bits)))
                    .as("0x%04x", bits)
                    .isEqualTo((short) bits);
        }
    }

    @Test
    void everyPatternHasTheValueOfItsDefinition() {
        for (int bits = 0; bits < PATTERNS; bits++) {
            float widened = Float16.toFloat((short) bits);
            assertThat(Float.compare(widened, byDefinition(bits)))
                    .as("0x%04x is %s", bits, widened)
                    .isZero();
        }
    }

    @Test
    void anyFloatRoundsToTheNearestWithTiesToEven() {
        Random random = new Random(20261121);
        for (int i = 0; i < 1_000_000; i++) {
            assertNearest(Float.intBitsToFloat(random.nextInt()));
            // Most floats are out of range; these are not.
            assertNearest((float) (random.nextGaussian() * Math.scalb(1.0, random.nextInt(42) - 25)));
        }
    }

    @Test
    void halfwayBetweenAnyTwoNeighboursTheEvenOneIsTaken() {
        for (int bits = 0; bits < 0x7bff; bits++) {
            float lower = Float16.toFloat((short) bits);
            float upper = Float16.toFloat((short) (bits + 1));
            float halfway = (lower + upper) / 2;
            int even = bits % 2 == 0 ? bits : bits + 1;
            assertThat(Float16.fromFloat(halfway)).isEqualTo((short) even);
            assertThat(Float16.fromFloat(-halfway)).isEqualTo((short) (even | 0x8000));
            assertThat(Float16.fromFloat(Math.nextDown(halfway))).isEqualTo((short) bits);
            assertThat(Float16.fromFloat(Math.nextUp(halfway))).isEqualTo((short) (bits + 1));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0.0, 0000",
        "-0.0, 8000",
        "1.0, 3c00",
        "-2.0, c000",
        "65504.0, 7bff",
        "65519.996, 7bff",
        "65520.0, 7c00",
        "-65520.0, fc00",
        "1e30, 7c00",
        "Infinity, 7c00",
        "-Infinity, fc00",
        "NaN, 7e00",
        "6.1035156E-5, 0400",
        "6.097555E-5, 03ff",
        "5.9604645E-8, 0001",
        "2.9802322E-8, 0000",
        "2.9802326E-8, 0001",
        "0.1, 2e66",
        "0.33333334, 3555"
    })
    void wellKnownValues(float value, String bits) {
        assertThat(Float16.fromFloat(value)).isEqualTo((short) Integer.parseInt(bits, 16));
    }

    @Test
    void aNanStaysOneEvenIfItsPayloadIsLost() {
        float payloadInTheLastBit = Float.intBitsToFloat(0x7f800001);

        assertThat(Float16.toFloat(Float16.fromFloat(payloadInTheLastBit))).isNaN();
    }

    private static void assertNearest(float value) {
        if (Float.isNaN(value)) {
            assertThat(Float16.fromFloat(value) & 0x7fff).isGreaterThan(0x7c00);
            return;
        }
        int magnitude = nearestMagnitude(Math.abs((double) value));
        int sign = Float.floatToRawIntBits(value) < 0 ? 0x8000 : 0;
        if (Float16.fromFloat(value) != (short) (sign | magnitude)) {
            throw new AssertionError(value + " became " + Integer.toHexString(Float16.fromFloat(value)));
        }
    }

    /** By search: finite patterns are in the order of their values, and 0x7c00 stands for 65536 when rounding. */
    private static int nearestMagnitude(double magnitude) {
        int low = 0;
        int high = 0x7c00;
        while (high - low > 1) {
            int middle = (low + high) >>> 1;
            if (rounding(middle) <= magnitude) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double below = magnitude - rounding(low);
        double above = rounding(high) - magnitude;
        if (below == above) {
            return low % 2 == 0 ? low : high;
        }
        return below < above ? low : high;
    }

    private static double rounding(int magnitude) {
        return magnitude == 0x7c00 ? 65536 : byDefinition(magnitude);
    }

    private static float byDefinition(int bits) {
        float sign = bits >>> 15 == 0 ? 1 : -1;
        int exponent = (bits >>> 10) & 0x1f;
        int fraction = bits & 0x3ff;
        if (exponent == 31) {
            return fraction == 0 ? sign * Float.POSITIVE_INFINITY : Float.NaN;
        }
        return exponent == 0
                ? sign * Math.scalb((float) fraction, -24)
                : sign * Math.scalb(1024f + fraction, exponent - 25);
    }
}
