package org.example;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@DeviceCount(2)
class SecondTest {

    @Test
    void onDevices(RankContext rank) {
        rank.barrier();
    }
}
