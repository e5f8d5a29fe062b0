package org.rankunit.internal.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;

@Tag("unit")
class ShortestDecimalTest {

    @ParameterizedTest
    @CsvSource({
        "FLOAT16, 0.0999755859375, 0.1",
        "FLOAT16, 65504, 65500.0",
        "FLOAT16, 5.9604644775390625E-8, 6.0E-8",
        "FLOAT16, 0.333251953125, 0.3333",
        "FLOAT16, 2048, 2048.0",
        "FLOAT16, -1.5, -1.5",
        "BFLOAT16, 3.140625, 3.14",
        "BFLOAT16, 1.0, 1.0",
        "BFLOAT16, 3.3895313892515355E38, 3.39E38",
        "FLOAT32, 0.10000000149011612, 0.1",
        "FLOAT32, 16777216, 1.6777216E7",
        "FLOAT32, 1.401298464324817E-45, 1.4E-45",
        "FLOAT32, 3.4028234663852886E38, 3.4028235E38",
        "FLOAT32, 9999999, 9999999.0",
        "FLOAT32, 856, 856.0",
        "FLOAT64, 0.1, 0.1",
        "FLOAT64, 0.001, 0.001",
        "FLOAT64, 0.0001, 1.0E-4",
        "FLOAT64, 1E7, 1.0E7",
        "FLOAT64, 2E23, 2.0E23",
        "FLOAT64, 4.9E-324, 4.9E-324",
        "FLOAT64, 1.7976931348623157E308, 1.7976931348623157E308",
        "FLOAT64, -0.0, -0.0",
        "FLOAT64, 0.0, 0.0",
        "FLOAT64, NaN, NaN",
        "FLOAT64, -Infinity, -Infinity"
    })
    void writesTheFewestDigitsThatTheTypeNeeds(DType type, double value, String text) {
        assertThat(written(value, type)).isEqualTo(text);
    }

    private static String written(double value, DType type) {
        return switch (type) {
            case FLOAT16 -> ShortestDecimal.ofFloat16(value);
            case BFLOAT16 -> ShortestDecimal.ofBFloat16(value);
            case FLOAT32 -> ShortestDecimal.ofFloat(value);
            case FLOAT64 -> ShortestDecimal.ofDouble(value);
            default -> throw new IllegalArgumentException(type + " is no floating type");
        };
    }

    @Test
    void everyFloat16ReadsBack() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = Float16.toFloat((short) bits);
            float read = Float.parseFloat(ShortestDecimal.ofFloat16(value));
            assertThat(Float.compare(Float16.toFloat(Float16.fromFloat(read)), value))
                    .isZero();
        }
    }

    @Test
    void everyBfloat16ReadsBack() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = BFloat16.toFloat((short) bits);
            float read = Float.parseFloat(ShortestDecimal.ofBFloat16(value));
            assertThat(Float.compare(BFloat16.toFloat(BFloat16.fromFloat(read)), value))
                    .isZero();
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_19, disabledReason = "before, the JDK wrote more digits than needed")
    void floatsAndDoublesAreWrittenAsTheJdkDoes() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            float single = Float.intBitsToFloat(random.nextInt());
            double twice = Double.longBitsToDouble(random.nextLong());
            assertThat(ShortestDecimal.ofFloat(single)).isEqualTo(Float.toString(single));
            assertThat(ShortestDecimal.ofDouble(twice)).isEqualTo(Double.toString(twice));
        }
    }

    @Test
    void randomFloatsAndDoublesReadBack() {
        Random random = new Random(8);
        for (int i = 0; i < 20_000; i++) {
            float single = Float.intBitsToFloat(random.nextInt());
            double twice = Double.longBitsToDouble(random.nextLong());
            assertThat(Float.parseFloat(ShortestDecimal.ofFloat(single))).isEqualTo(Float.valueOf(single));
            assertThat(Double.parseDouble(ShortestDecimal.ofDouble(twice))).isEqualTo(Double.valueOf(twice));
        }
    }
}
