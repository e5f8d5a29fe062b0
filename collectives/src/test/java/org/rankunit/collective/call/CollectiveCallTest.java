package org.rankunit.collective.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.DType;

/** Sizes of calls, against arithmetic that does not overflow. */
@Tag("unit")
class CollectiveCallTest {

    @ParameterizedTest
    @EnumSource(
            value = Collective.class,
            names = {"BARRIER"},
            mode = EnumSource.Mode.EXCLUDE)
    void everyCallThatIsMadeHasSizesThatFitAndOthersAreRefused(Collective collective) {
        Random random = new Random(20_261_128);
        List<DType> types = List.of(DType.values());
        int refused = 0;
        for (int round = 0; round < 2_000; round++) {
            int ranks = 1 + random.nextInt(random.nextBoolean() ? 64 : 1 << 20);
            long count = random.nextLong(Long.MAX_VALUE) >>> random.nextInt(63);
            DType type = types.get(random.nextInt(types.size()));
            BigInteger exact = BigInteger.valueOf(count)
                    .multiply(BigInteger.valueOf(type.byteSize()))
                    .multiply(BigInteger.valueOf(collective.hasCounts() ? ranks : 1));
            if (exact.compareTo(BigInteger.ONE.shiftLeft(58)) > 0) {
                assertThatThrownBy(() -> CollectiveCall.of(collective, ranks, type, count))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("count = " + count + ": expected at most ");
                refused++;
            } else if (exact.bitLength() < 58) {
                CollectiveCall call = CollectiveCall.of(collective, ranks, type, count);
                assertThat(Math.max(call.inputBytes(0), call.outputBytes(0))).isEqualTo(exact.longValueExact());
            }
        }
        assertThat(refused).isBetween(50, 1_950);
    }

    @Test
    void countsWhoseSumDoesNotFitAreRefused() {
        CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, 3, DType.FLOAT32, 1);

        assertThatThrownBy(() -> call.withCounts(List.of(Long.MAX_VALUE, 1L, 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counts: all together are more than 9223372036854775807 elements");
        assertThatThrownBy(() -> call.withCounts(List.of(1L << 56, 1L, 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("counts: all together have more than 72057594037927936 float32");
        assertThatThrownBy(() -> call.withCounts(List.of(Long.MAX_VALUE, -1L, Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("none is negative");
        assertThat(call.withCounts(List.of((1L << 56) - 2, 1L, 1L)).outputBytes(1))
                .isEqualTo(1L << 58);
    }
}
