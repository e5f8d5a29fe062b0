package org.example;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@DeviceCount(2)
class DeviceTest {

    @Test
    void ranksMeet(RankContext rank) {
        rank.barrier();
    }
}
