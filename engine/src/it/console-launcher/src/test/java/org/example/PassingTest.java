package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class PassingTest {

    @Test
    void ordinary() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @DeviceCount(2)
    void onTwoRanks(int number, RankContext rank) {
        assertEquals(2, rank.worldSize());
        rank.barrier();
    }

    @Test
    @DeviceCount({1, 2})
    void onOneAndOnTwoRanks(RankContext rank) {
        rank.barrier();
    }
}
