package org.example;

import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.DEVICE;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

@Tag("ranks")
@DeviceCount(2)
@Buffer(name = "output", type = FLOAT32, count = 8, placement = DEVICE)
class WrongOnOneRankTest {

    @Test
    void theLastRankComputesOneWrongValue(RankContext rank) {
        float[] expected = {0, 1, 2, 3, 4, 5, 6, 7};
        float[] computed = expected.clone();
        if (rank.rank() == 1) {
            computed[5] = 55;
        }
        rank.buffer("output").write(computed);

        Golden.of("output", expected).verify(rank.buffer("output"));
    }

    @Test
    void itsNeighbourPasses(RankContext rank) {
        rank.barrier();
    }
}
