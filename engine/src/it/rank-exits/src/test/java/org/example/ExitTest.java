package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class ExitTest {

    @Test
    @DeviceCount(2)
    void theLastRankExits(RankContext rank) {
        if (rank.rank() == 1) {
            System.exit(7);
        }
        rank.barrier();
    }
}
