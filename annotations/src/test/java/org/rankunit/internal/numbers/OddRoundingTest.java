package org.rankunit.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;

/** Rounded once, against the nearest of all numbers of a type by exact arithmetic. */
@Tag("unit")
class OddRoundingTest {

    private final Random random = new Random(11);

    /** A number beside one of the type, or beside the middle of two of them; most are no {@code float}. */
    private double nearNumbersOf(DType type) {
        double some = random(type);
        double next = Values.rounded(type, (float) (some * (1 + Math.scalb(1.0, -random.nextInt(8)))))
                .doubleAt(0);
        double base = random.nextBoolean() || Double.isInfinite(next) || Double.isNaN(next) ? some : (some + next) / 2;
        double step =
                Math.scalb(random.nextInt(3) - 1.0, Math.max(-1074, Math.getExponent(base) - 24 - random.nextInt(29)));
        return base + step;
    }

    private double random(DType type) {
        Values values;
        do {
            values = Values.decode(type, bytes(type));
        } while (!Double.isFinite(values.doubleAt(0)));
        return values.doubleAt(0);
    }

    private byte[] bytes(DType type) {
        byte[] bytes = new byte[type.byteSize()];
        random.nextBytes(bytes);
        return bytes;
    }

    /** All finite magnitudes of a type of 8 or 16 bits, ascending, with their bits. */
    private static List<Magnitude> magnitudesOf(DType type) {
        int codes = 1 << (8 * type.byteSize() - 1);
        return IntStream.range(0, codes)
                .mapToObj(code -> new Magnitude(
                        code,
                        Values.decode(
                                        type,
                                        type.byteSize() == 1
                                                ? new byte[] {(byte) code}
                                                : new byte[] {(byte) code, (byte) (code >> 8)})
                                .doubleAt(0)))
                .filter(magnitude -> Double.isFinite(magnitude.value()))
                .sorted(Comparator.comparingDouble(Magnitude::value))
                .toList();
    }

    private record Magnitude(int code, double value) {}

    private static double nearest(List<Magnitude> magnitudes, BigDecimal exact, boolean tiesAway) {
        BigDecimal wanted = exact.abs();
        int low = 0;
        int high = magnitudes.size();
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (new BigDecimal(magnitudes.get(middle).value()).compareTo(wanted) <= 0) {
                low = middle;
            } else {
                high = middle;
            }
        }
        if (high == magnitudes.size()) {
            return Double.NaN;
        }
        BigDecimal below = wanted.subtract(new BigDecimal(magnitudes.get(low).value()));
        BigDecimal above = new BigDecimal(magnitudes.get(high).value()).subtract(wanted);
        int compared = below.compareTo(above);
        boolean up = compared > 0
                || (compared == 0 && (tiesAway || (magnitudes.get(high).code() & 1) == 0));
        double magnitude = magnitudes.get(up ? high : low).value();
        return exact.signum() < 0 ? -magnitude : magnitude;
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT8_E4M3FN", "FLOAT8_E5M2", "HIFLOAT8"})
    void doublesAreRoundedOnce(DType type) {
        List<Magnitude> magnitudes = magnitudesOf(type);
        int twice = 0;
        for (int i = 0; i < 100_000; i++) {
            double value = nearNumbersOf(type);
            double expected = nearest(magnitudes, new BigDecimal(value), type == DType.HIFLOAT8);
            if (!Double.isNaN(expected)) {
                assertThat(Values.rounded(type, value).doubleAt(0) + 0.0)
                        .as("%s", value)
                        .isEqualTo(expected + 0.0);
                twice += Values.rounded(type, (float) value).doubleAt(0) == expected ? 0 : 1;
            }
        }
        assertThat(twice).as("those that rounding twice gets wrong").isPositive();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32"})
    void sumsAreRoundedOnce(DType type) {
        int twice = 0;
        for (int i = 0; i < 30_000; i++) {
            List<Double> terms = new ArrayList<>();
            BigDecimal exact = BigDecimal.ZERO;
            double plain = 0;
            for (int count = 1 + random.nextInt(6); count > 0; count--) {
                double term = Values.rounded(type, (float) Math.scalb(1 + random.nextInt(4) / 4.0, -random.nextInt(28)))
                        .doubleAt(0);
                term = random.nextInt(4) == 0 ? -term : term;
                terms.add(term);
                exact = exact.add(new BigDecimal(term));
                plain += term;
            }
            double sum = Values.rounded(type, OddRounding.sum(terms)).doubleAt(0);
            double expected = type == DType.FLOAT32
                    ? exact.floatValue()
                    : nearest(MAGNITUDES.get(type == DType.FLOAT16 ? 0 : 1), exact, false);
            assertThat(sum + 0.0).as("%s", terms).isEqualTo(expected + 0.0);
            twice += Values.rounded(type, (float) plain).doubleAt(0) == expected ? 0 : 1;
        }
        assertThat(twice > 0 || type == DType.FLOAT32).isTrue();
    }

    private static final List<List<Magnitude>> MAGNITUDES =
            List.of(magnitudesOf(DType.FLOAT16), magnitudesOf(DType.BFLOAT16));

    @Test
    void sumsOfFloatsThatADoubleCannotHold() {
        assertThat((float) OddRounding.sum(List.of(1.0, 0x1p-24, 0x1p-60))).isEqualTo(1 + 0x1p-23f);
        assertThat((float) OddRounding.sum(List.of(1.0, 0x1p-24, -0x1p-60))).isEqualTo(1);
        assertThat(Values.rounded(DType.FLOAT16, OddRounding.sum(List.of(1.0, 0x1p-11, 0x1p-24)))
                        .doubleAt(0))
                .isEqualTo(1 + 0x1p-10);
        assertThat(OddRounding.sum(List.of())).isZero();
        assertThat(OddRounding.sum(List.of(0x1p100, 1.0, -0x1p100))).isEqualTo(1);
    }
}
