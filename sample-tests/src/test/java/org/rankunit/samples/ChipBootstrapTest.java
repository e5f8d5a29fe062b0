package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.WINDOW;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** The smoke test of bring-up on two chips: what every rank finds when its first test begins. Needs no barrier. */
@Tag("downstream")
@DeviceCount(2)
@Platforms({"a2a3sim", "a5sim", "a2a3", "a5"})
@Buffer(name = "x", type = FLOAT32, count = 64, placement = WINDOW)
class ChipBootstrapTest {

    private static final long WINDOW_SIZE = 200L << 20;

    @Test
    void everyChipHasAContextAndAWindow(RankContext rank) {
        assertThat(rank.rank()).isBetween(0, 1);
        assertThat(rank.worldSize()).isEqualTo(2);
        assertThat(rank.communicator().deviceContext()).isNotZero();
        assertThat(rank.communicator().windowBase()).isNotZero();
        assertThat(rank.communicator().windowSize()).isGreaterThanOrEqualTo(WINDOW_SIZE);
    }

    @Test
    void theFirstBufferIsAtTheBaseOfTheWindow(RankContext rank) {
        assertThat(rank.buffers()).containsOnlyKeys("x");
        assertThat(rank.buffer("x").address()).isEqualTo(rank.communicator().windowBase());
    }
}
