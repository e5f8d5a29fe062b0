package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class FirstTest {

    @Test
    void ordinary() {}

    @Test
    @DeviceCount({2, 3})
    void onDevices(RankContext rank) {
        rank.barrier();
    }
}
