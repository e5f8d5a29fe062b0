package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.rankunit.DType.FLOAT32;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** Two chips that need nothing of each other: each rank has its device, and no communicator is brought up. */
@Tag("downstream")
@DeviceCount(value = 2, communicator = false)
@Platforms({"a2a3sim", "a5sim", "a2a3", "a5"})
@Buffer(name = "x", type = FLOAT32, count = 64)
class ChipsApartTest {

    @Test
    void everyChipHasMemoryOfItsOwn(RankContext rank) {
        float[] own = new float[64];
        Arrays.fill(own, rank.rank() + 1);

        rank.buffer("x").write(own);

        Golden.of("x", own).verify(rank.buffer("x"));
    }

    @Test
    void thereIsNoCommunicatorToAskFor(RankContext rank) {
        assertThat(rank.worldSize()).isEqualTo(2);
        assertThatIllegalStateException()
                .isThrownBy(rank::communicator)
                .withMessageContaining("@DeviceCount(communicator = false)");
    }
}
