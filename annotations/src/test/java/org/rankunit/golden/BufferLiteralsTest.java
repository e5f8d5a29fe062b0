package org.rankunit.golden;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DType;
import org.rankunit.Values;

/** What numbers in the source of a test mean for a buffer's type. */
@Tag("unit")
class BufferLiteralsTest {

    @Test
    void anOverflowIsNotWhatAFiniteNumberExpects() {
        ReadOutput overflowed = ReadOutput.of(Values.rounded(DType.FLOAT16, 70_000f, -70_000f));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> overflowed.verify(Float.POSITIVE_INFINITY, -70_000f))
                .withMessageStartingWith("[1]: -70000.0 is too large for float16");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ReadOutput(overflowed.read(), 1, 2).verify(new float[][] {{70_000f, 0}}));
        assertThatCode(() -> overflowed.verify(Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY))
                .doesNotThrowAnyException();
        assertThatCode(() -> ReadOutput.of(Values.float32(Float.MAX_VALUE)).verify(Float.MAX_VALUE))
                .doesNotThrowAnyException();
        assertThatCode(() -> ReadOutput.of(Values.float64(Float.MAX_VALUE)).verify(Float.MAX_VALUE))
                .doesNotThrowAnyException();
    }

    @Test
    void aFloatIsNoInteger() {
        assertThatExceptionOfType(GoldenMismatchError.class)
                .isThrownBy(() -> ReadOutput.of(Values.int32(1)).verify(1f))
                .withMessage("output: expected 1 x float32, was 1 x int32");
    }

    @Test
    void aNegativeIntIsNoUnsignedNumber() {
        ReadOutput largest = ReadOutput.of(Values.uint64(-1));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> largest.verify(-1))
                .withMessageContaining("no uint64 is exactly -1");
        assertThatIllegalArgumentException().isThrownBy(() -> largest.write(-1));
        // Of a long, the bits count.
        assertThatCode(() -> largest.verify(-1L)).doesNotThrowAnyException();
    }
}
