package org.example;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Takes longer than all the others together. */
@DeviceCount({1, 2})
class LongTest {

    @Test
    void takesItsTime(RankContext rank) throws InterruptedException {
        TimeUnit.SECONDS.sleep(rank.rankCount() == 2 ? 3 : 0);
        rank.barrier();
    }
}
