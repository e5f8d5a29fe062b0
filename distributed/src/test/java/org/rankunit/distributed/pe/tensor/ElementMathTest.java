package org.rankunit.distributed.pe.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Values;

@Tag("unit")
class ElementMathTest {

    @Test
    void floatsAreComputedElementByElement() {
        Values a = Values.float32(6, -4);
        Values b = Values.float32(2, 8);
        assertThat(ElementMath.add(a, b)).isEqualTo(Values.float32(8, 4));
        assertThat(ElementMath.sub(a, b)).isEqualTo(Values.float32(4, -12));
        assertThat(ElementMath.mul(a, b)).isEqualTo(Values.float32(12, -32));
        assertThat(ElementMath.div(a, b)).isEqualTo(Values.float32(3, -0.5f));
        assertThat(ElementMath.maximum(a, b)).isEqualTo(Values.float32(6, 8));
        assertThat(ElementMath.minimum(a, b)).isEqualTo(Values.float32(2, -4));
        assertThat(ElementMath.fma(a, b, a)).isEqualTo(Values.float32(18, -36));
        assertThat(ElementMath.clamp(a, -1, 5)).isEqualTo(Values.float32(5, -1));
    }

    @Test
    void everyResultIsRoundedToItsType() {
        assertThat(ElementMath.add(Values.float16(2048), Values.float16(1))).isEqualTo(Values.float16(2048));
        assertThat(ElementMath.add(Values.float32(2048), Values.float32(1))).isEqualTo(Values.float32(2049));
        assertThat(ElementMath.add(Values.float64(1), Values.float64(0x1p-52))).isEqualTo(Values.float64(1 + 0x1p-52));
    }

    /** 4097 * 4097 has more bits than a float, so that its rounding shows. */
    @Test
    void aFusedMultiplyAddIsRoundedOnce() {
        Values a = Values.float32(4097);
        Values minus = Values.float32(-16785408);
        assertThat(ElementMath.fma(a, a, minus)).isEqualTo(Values.float32(1));
        assertThat(ElementMath.add(ElementMath.mul(a, a), minus)).isEqualTo(Values.float32(0));
    }

    @Test
    void integersWrapAround() {
        assertThat(ElementMath.add(Values.int8((byte) 127), Values.int8((byte) 1)))
                .isEqualTo(Values.int8((byte) -128));
        assertThat(ElementMath.sub(Values.uint16(0), Values.uint16(1))).isEqualTo(Values.uint16(65535));
        assertThat(ElementMath.mul(Values.int64(1L << 62), Values.int64(4))).isEqualTo(Values.int64(0));
    }

    @Test
    void unsignedIntegersAreComparedAndDividedAsSuch() {
        Values most = Values.uint64(-1);
        assertThat(ElementMath.maximum(most, Values.uint64(1))).isEqualTo(most);
        assertThat(ElementMath.minimum(most, Values.uint64(1))).isEqualTo(Values.uint64(1));
        assertThat(ElementMath.div(most, Values.uint64(2))).isEqualTo(Values.uint64(Long.MAX_VALUE));
        assertThat(ElementMath.maximum(Values.uint8(200), Values.uint8(100))).isEqualTo(Values.uint8(200));
    }

    @Test
    void theSoftmaxOfEachRowSumsUpToOne() {
        Values result = ElementMath.softmax(Values.float64(0, 0, 1000, 1000, Math.log(3), 0), 2);
        assertThat(result.doubleAt(0)).isEqualTo(0.5);
        assertThat(result.doubleAt(2)).isEqualTo(0.5);
        assertThat(result.doubleAt(4)).isEqualTo(0.75, Assertions.within(1e-15));
        assertThat(result.doubleAt(5)).isEqualTo(0.25, Assertions.within(1e-15));
    }

    @Test
    void aMaximumWithNaNIsNaN() {
        assertThat(ElementMath.maximum(Values.float32(Float.NaN), Values.float32(1))
                        .doubleAt(0))
                .isNaN();
        assertThat(ElementMath.minimum(Values.float32(1), Values.float32(Float.NaN))
                        .doubleAt(0))
                .isNaN();
    }

    @Test
    void operandsThatDifferAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElementMath.add(Values.float32(1), Values.float16(1)))
                .withMessage("operands differ: 1 float32 and 1 float16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElementMath.softmax(Values.int32(1), 1))
                .withMessage("softmax: int32 is not a floating type");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElementMath.add(Values.bool(true), Values.bool(true)))
                .withMessage("there is no arithmetic of bool");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ElementMath.clamp(Values.float32(1), 2, 1))
                .withMessage("clamp: 2.0 is not at most 1.0");
        Assertions.assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> ElementMath.div(Values.int32(1), Values.int32(0)));
    }
}
