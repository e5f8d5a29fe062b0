package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class RingTest {

    @Test
    @DeviceCount(2)
    void theNextRankIsTheOther(RankContext rank) {
        assertEquals(1 - rank.rank(), Ring.next(rank.rank(), rank.worldSize()));
    }
}
