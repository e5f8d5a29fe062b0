package org.rankunit.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;
import org.rankunit.Values;

@Tag("unit")
class AveragesTest {

    /** Enough for exact quotients by powers of two of the smallest elements of float64. */
    private static final MathContext EXACT = new MathContext(1100);

    private static Values ofBits(DType type, long bits) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(bits)
                .array();
        return Values.decode(type, Arrays.copyOf(bytes, type.byteSize()));
    }

    /** Random bits of all exponents, subnormal ones too; no element of the type is nearer to the quotient. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void quotientsAreRoundedOnce(DType type) {
        Random random = new Random(type.byteSize());
        for (int i = 0; i < 1500; i++) {
            Values sum = ofBits(type, random.nextInt(4) == 0 ? random.nextInt(1 << 10) : random.nextLong());
            int divisor = 1 + random.nextInt(64);
            Values quotient = Averages.divided(sum, divisor);
            if (Double.isFinite(sum.doubleAt(0))) {
                assertNearest(type, sum, divisor, quotient);
            } else {
                assertThat(Double.valueOf(quotient.doubleAt(0))).isEqualTo(Double.valueOf(sum.doubleAt(0)));
            }
        }
    }

    private static void assertNearest(DType type, Values sum, int divisor, Values quotient) {
        BigDecimal exact = new BigDecimal(sum.doubleAt(0)).divide(BigDecimal.valueOf(divisor), EXACT);
        BigDecimal distance =
                exact.subtract(new BigDecimal(quotient.doubleAt(0))).abs();
        long bits = quotient.bitsAt(0);
        for (long neighbour : new long[] {bits - 1, bits + 1}) {
            double other = ofBits(type, neighbour).doubleAt(0);
            if (!Double.isFinite(other) || (quotient.doubleAt(0) == 0 && neighbour < bits)) {
                continue;
            }
            int comparison =
                    distance.compareTo(exact.subtract(new BigDecimal(other)).abs());
            assertThat(comparison < 0 || (comparison == 0 && bits % 2 == 0))
                    .as("%s / %d = %s", sum.format(0), divisor, quotient.format(0))
                    .isTrue();
        }
    }

    @Test
    void integersHaveNoAverages() {
        Averages.requireAverages(DType.FLOAT8_E5M2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Averages.requireAverages(DType.UINT8))
                .withMessage("AVG of uint8: only floating types have averages; use SUM, and divide as you need");
        assertThatIllegalArgumentException().isThrownBy(() -> Averages.requireAverages(DType.BOOL));
    }
}
