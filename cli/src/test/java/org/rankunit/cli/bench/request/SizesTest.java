package org.rankunit.cli.bench.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DType;
import org.rankunit.cli.pool.UsageException;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.Reduction;

@Tag("unit")
class SizesTest {

    @ParameterizedTest
    @CsvSource({"8, 8", "1K, 1024", "1k, 1024", "32M, 33554432", "2G, 2147483648"})
    void unitsArePowersOf1024(String text, long bytes) {
        assertThat(Sizes.of(text, text, Optional.empty(), Optional.empty()).all())
                .containsExactly(bytes);
    }

    @Test
    void sizesGrowByAFactorOrByBytes() {
        assertThat(Sizes.of("8", "128", Optional.empty(), Optional.of(4L)).all())
                .containsExactly(8L, 32L, 128L);
        assertThat(Sizes.of("8", "30", Optional.of("8"), Optional.empty()).all())
                .containsExactly(8L, 16L, 24L);
        assertThat(Sizes.of("1M", "3M", Optional.empty(), Optional.empty()).all())
                .containsExactly(1L << 20, 2L << 20, 3L << 20);
    }

    @ParameterizedTest
    @CsvSource({"1G, 999999999999999G, no machine has so much", "0, 1, there is nothing to measure", "1, -1, expected"})
    void whatIsNoSizeIsRefused(String min, String max, String reason) {
        assertThatThrownBy(() -> Sizes.of(min, max, Optional.empty(), Optional.empty()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(reason);
    }

    @ParameterizedTest
    @ValueSource(longs = {1L << 53, 1L << 62, Long.MAX_VALUE})
    void aSizeThatWouldOverflowIsBeyondTheLastOne(long factor) {
        assertThat(Sizes.of("1K", "2G", Optional.empty(), Optional.of(factor)).all())
                .containsExactly(1024L);
        assertThat(Sizes.of("1", "999999999999999", Optional.of("999999999999998"), Optional.empty())
                        .all())
                .containsExactly(1L, 999_999_999_999_999L);
    }

    @Test
    void tooManySizesAreRefused() {
        assertThatThrownBy(() -> Sizes.of("1", "1G", Optional.of("1"), Optional.empty()))
                .hasMessageContaining("1073741824 sizes from 1 to 1G are more than 10000; use --stepfactor 2");
    }

    @Test
    void namesOfTypesAreOursAndThoseOfNcclTests() {
        assertThat(Types.types("float,float32,half,double,int,char,bfloat16", Collective.ALL_REDUCE))
                .containsExactly(
                        DType.FLOAT32,
                        DType.FLOAT32,
                        DType.FLOAT16,
                        DType.FLOAT64,
                        DType.INT32,
                        DType.INT8,
                        DType.BFLOAT16);
        assertThat(Types.types("all", Collective.REDUCE)).hasSize(12);
        assertThat(Types.types("bool", Collective.BROADCAST)).containsExactly(DType.BOOL);
    }

    @Test
    void whatDoesNotReduceHasOneReductionAndWhatHasNoRootHasOneRoot() {
        assertThat(Types.reductions("all", Collective.ALL_GATHER)).containsExactly(Reduction.SUM);
        assertThat(Types.reductions("all", Collective.REDUCE)).hasSize(4);
        assertThat(Types.roots("all", Collective.ALL_GATHER, 3)).containsExactly(0);
        assertThat(Types.roots("-1", Collective.REDUCE, 3)).containsExactly(0, 1, 2);
    }

    @Test
    void theTimeOfAMeasurementIsChosenFromThoseOfTheRanks() {
        List<Double> micros = List.of(4.0, 1.0, 7.0);

        assertThat(Average.numbered(0).of(micros)).isEqualTo(4);
        assertThat(Average.numbered(1).of(micros)).isEqualTo(4);
        assertThat(Average.numbered(2).of(micros)).isEqualTo(1);
        assertThat(Average.numbered(3).of(micros)).isEqualTo(7);
    }
}
