package org.rankunit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@Tag("unit")
class ExactNumbersTest {

    private final Random random = new Random(5);

    /** A number is taken if, and only if, some element of the type has its value. */
    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void whatATypeHoldsIsTakenAndNothingElse(DType type) {
        byte[] bits = new byte[type.byteSize() * 200];
        for (int i = 0; i < bits.length; i++) {
            // Every second number is small.
            boolean isSmall = i / type.byteSize() % 2 == 0 && i % type.byteSize() > 2;
            bits[i] = (byte) (isSmall && !type.isFloating() ? 0 : random.nextInt());
        }
        Values values = Values.decode(type, bits);
        int taken = 0;
        for (int i = 0; i < values.count(); i++) {
            BigDecimal number;
            try {
                number = new BigDecimal(values.format(i));
            } catch (NumberFormatException e) {
                continue; // not finite
            }
            if (type.isFloating()) {
                number = new BigDecimal(values.doubleAt(i));
            }
            double value = number.doubleValue();
            if (new BigDecimal(value).compareTo(number) != 0 || (value == 0 && values.bitsAt(i) != 0)) {
                continue; // a large integer, or -0.0
            }
            Values one = Values.exactly(type, value);
            assertThat(one.bitsAt(0)).isEqualTo(values.bitsAt(i));
            double beside = type.isFloating() ? value + Math.ulp(value) : 0.5;
            if (type != DType.FLOAT64) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> Values.exactly(type, value, beside))
                        .withMessageStartingWith("[1]: no " + type + " is exactly " + beside + ".");
            }
            taken++;
        }
        assertThat(taken).isGreaterThan(20);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "BOOL")
    void aNumberIsRepeated(DType type) {
        for (int count : new int[] {0, 1, 3, 4095, 4097, 10_000}) {
            double[] all = new double[count];
            Arrays.fill(all, 3);
            assertThat(Values.repeated(type, 3, count)).isEqualTo(Values.exactly(type, all));
        }
        if (type != DType.FLOAT64) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Values.repeated(type, 0.1, 2))
                    .withMessageStartingWith("[0]: no " + type + " is exactly 0.1.");
        }
    }

    @Test
    void integersAreTakenWithinTheRangeOfTheType() {
        assertThat(Values.exactly(DType.INT8, -128, 127)).isEqualTo(Values.int8((byte) -128, (byte) 127));
        assertThat(Values.exactly(DType.UINT32, 0L, 4294967295L)).isEqualTo(Values.uint32(0, 4294967295L));
        assertThat(Values.exactly(DType.UINT64, 0x1p63)).isEqualTo(Values.uint64(Long.MIN_VALUE));
        assertThat(Values.exactly(DType.FLOAT16, 2048, -5)).isEqualTo(Values.float16(2048, -5));
        assertThat(Values.exactly(DType.FLOAT64, 1L << 53)).isEqualTo(Values.float64(0x1p53));
        for (Runnable refused : new Runnable[] {
            () -> Values.exactly(DType.INT8, 0, 128),
            () -> Values.exactly(DType.UINT8, 0, -1),
            () -> Values.exactly(DType.UINT64, 0, -1L),
            () -> Values.exactly(DType.FLOAT16, 0, 2049),
            () -> Values.exactly(DType.FLOAT64, 0, (1L << 53) + 1),
            () -> Values.exactly(DType.INT64, 0, 0x1p63),
            () -> Values.exactly(DType.INT32, 0, Double.NaN),
            () -> Values.exactly(DType.INT32, 0, Double.POSITIVE_INFINITY)
        }) {
            assertThatIllegalArgumentException().isThrownBy(refused::run).withMessageStartingWith("[1]: no ");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.exactly(DType.BOOL, 0, 1))
                .withMessage("bool holds no numbers. Give true and false.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Values.exactly(DType.FLOAT32, 0.5, 0.1))
                .withMessage(
                        "[1]: no float32 is exactly 0.1. Values.rounded gives the nearest one, and so does a number given as float, such as 0.1f.");
    }
}
