package org.example;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class ThirdTest {

    @RepeatedTest(3)
    void ordinary() {}

    @Test
    @DeviceCount(2)
    void onDevices(RankContext rank) {
        rank.barrier();
    }

    @RepeatedTest(3)
    @DeviceCount(2)
    void repeatedOnDevices(RankContext rank) {
        rank.barrier();
    }
}
