package org.example;

import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

@DeviceCount(2)
@Buffer(name = "mine", type = DType.FLOAT32, count = 4, placement = Placement.WINDOW)
class FirstTest {

    @Test
    void everyRankHoldsItsOwnNumber(RankContext rank) {
        float me = rank.rank();
        rank.buffer("mine").write(me, me, me, me);
        rank.barrier();

        Golden.of("mine", me, me, me, me).verify(rank.buffer("mine"));
    }
}
