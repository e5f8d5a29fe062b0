package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.Values;

/** Ordinary tests and device tests in one class: each runs where it belongs, and both are in one report. */
@Tag("downstream")
class MixedTest {

    @Test
    void anOrdinaryTestRunsOnceAndOnNoDevice() {
        assertThat(Values.float16(0.1f).format(0)).isEqualTo("0.1");
    }

    @Test
    @DeviceCount(2)
    void aDeviceTestRunsOnEachOfItsRanks(RankContext rank) {
        assertThat(rank.worldSize()).isEqualTo(2);
        rank.barrier();
    }

    @Test
    @DeviceCount(1)
    void oneDeviceIsAWorldOfOne(RankContext rank) {
        assertThat(rank.rank()).isZero();
        rank.barrier();
    }
}
