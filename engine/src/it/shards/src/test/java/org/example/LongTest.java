package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Takes longer than all the others together, by the durations that are given. */
@Tag("ranks")
@DeviceCount({1, 2})
class LongTest {

    @Test
    void takesItsTime(RankContext rank) {
        rank.barrier();
    }
}
