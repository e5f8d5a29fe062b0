package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class FailingTest {

    @Test
    void ordinary() {}

    @Test
    @DeviceCount(2)
    void failsOnTheLastRank(RankContext rank) {
        assertEquals(0, rank.rank());
    }
}
