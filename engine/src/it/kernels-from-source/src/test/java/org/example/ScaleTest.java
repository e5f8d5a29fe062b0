package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

@Tag("ranks")
@DeviceCount(2)
@Platforms("a2a3sim")
@Buffer(name = "numbers", type = DType.FLOAT32, count = 4, placement = Placement.DEVICE)
class ScaleTest {

    @Test
    void scalesByTheRank(RankContext rank) {
        rank.buffer("numbers").write(1f, 2f, 3f, 4f);

        rank.kernel("scale").launch(rank.buffer("numbers").address(), 4, rank.rank());

        float factor = rank.rank();
        Golden.of("numbers", factor, 2 * factor, 3 * factor, 4 * factor).verify(rank.buffer("numbers"));
    }

    @Test
    void asksForAKernelThatDoesNotCompile(RankContext rank) {
        rank.kernel("broken").launch(0);
    }
}
