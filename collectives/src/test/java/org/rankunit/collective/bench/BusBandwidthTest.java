package org.rankunit.collective.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

@Tag("unit")
class BusBandwidthTest {

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, 1.5, 400",
        "ALL_GATHER, 0.75, 1600",
        "REDUCE_SCATTER, 0.75, 1600",
        "ALL_TO_ALL, 0.75, 1600",
        "GATHER, 0.75, 1600",
        "SCATTER, 0.75, 1600",
        "BROADCAST, 1, 400",
        "REDUCE, 1, 400"
    })
    void factorsAndSizesAreThoseOfNcclTests(Collective collective, double factor, long bytes) {
        CollectiveCall call = CollectiveCall.of(collective, 4, DType.FLOAT32, 100);

        assertThat(BusBandwidth.factor(collective, 4)).isEqualTo(factor);
        assertThat(BusBandwidth.size(call)).isEqualTo(bytes);
        assertThat(BusBandwidth.algorithm(call, 2)).isCloseTo(bytes / 2e3, within(1e-9));
        assertThat(BusBandwidth.bus(call, 2)).isCloseTo(bytes / 2e3 * factor, within(1e-9));
    }

    @Test
    void aTimeOfNothingGivesNoBandwidth() {
        assertThat(BusBandwidth.bus(CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT8, 1), 0))
                .isZero();
    }
}
