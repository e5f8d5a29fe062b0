package org.rankunit.golden.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;

@Tag("unit")
class ShownDifferenceTest {

    private final Random random = new Random(20261122);

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void whatIsShownOfRandomElementsAddsUp(DType type) {
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = new byte[2 * type.byteSize()];
            random.nextBytes(bytes);
            if (round % 2 == 0) {
                System.arraycopy(bytes, 0, bytes, type.byteSize(), type.byteSize());
                bytes[type.byteSize()] += (byte) (1 + random.nextInt(20));
            }
            Values expected = Values.decode(type, Arrays.copyOf(bytes, type.byteSize()));
            Values actual = Values.decode(type, Arrays.copyOfRange(bytes, type.byteSize(), bytes.length));
            Comparison comparison = new Comparison(expected, actual, Criteria.of("x", new Tolerance(0, 0, false)));
            if (Double.isFinite(comparison.difference(0)) && comparison.differs(0)) {
                ShownDifference shown = ShownDifference.of(comparison, 0);

                BigDecimal difference = new BigDecimal(shown.difference().replaceFirst(" =.*", ""));
                BigDecimal ofTheShown = new BigDecimal(shown.actual())
                        .subtract(new BigDecimal(shown.expected()))
                        .abs();
                BigDecimal exact = new BigDecimal(actual.doubleAt(0))
                        .subtract(new BigDecimal(expected.doubleAt(0)))
                        .abs();
                assertThat(ofTheShown.subtract(difference).abs())
                        .as("%s", shown)
                        .isLessThanOrEqualTo(difference.multiply(new BigDecimal("1e-5")));
                assertThat(difference.subtract(exact).abs())
                        .as("%s, exactly %s", shown, exact)
                        .isLessThanOrEqualTo(exact.multiply(new BigDecimal("1e-3")));
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void unitsInTheLastPlaceAreStepsBetweenElements(DType type) {
        for (int round = 0; round < 3000; round++) {
            byte[] bytes = new byte[type.byteSize()];
            random.nextBytes(bytes);
            int steps = 1 + random.nextInt(200);
            Values one = Values.decode(type, bytes);
            Values other = Values.decode(type, added(bytes, steps));
            if (Double.isFinite(one.doubleAt(0))
                    && Double.isFinite(other.doubleAt(0))
                    && one.doubleAt(0) * other.doubleAt(0) > 0) {
                assertThat(Ulps.between(one.doubleAt(0), other.doubleAt(0), type))
                        .isEqualTo(steps);
                assertThat(Ulps.between(other.doubleAt(0), one.doubleAt(0), type))
                        .isEqualTo(steps);
            }
        }
    }

    /** The element so many steps further from zero, whose bits are a number that is larger by as many. */
    private static byte[] added(byte[] littleEndian, int steps) {
        byte[] sum = littleEndian.clone();
        int carry = steps;
        for (int i = 0; i < sum.length; i++) {
            carry += Byte.toUnsignedInt(sum[i]);
            sum[i] = (byte) carry;
            carry >>= Byte.SIZE;
        }
        return sum;
    }
}
