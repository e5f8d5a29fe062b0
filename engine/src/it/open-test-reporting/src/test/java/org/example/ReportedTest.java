package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@DeviceCount(2)
class ReportedTest {

    @Test
    void passes() {}

    @Test
    void fails(RankContext rank) {
        System.out.println("about to fail on rank " + rank.rank());
        assertEquals(0, rank.rank());
    }
}
