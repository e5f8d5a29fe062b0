package org.example;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Takes longer than all the others together where it is measured. */
@Tag("ranks")
@DeviceCount({1, 2})
class LongTest {

    @Test
    void takesItsTime(RankContext rank) throws InterruptedException {
        TimeUnit.SECONDS.sleep(rank.rankCount() == 2 ? Integer.getInteger("long.seconds", 0) : 0);
        rank.barrier();
    }
}
