package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
class RanksOnlyTest {

    private static int before;
    private int around;

    @BeforeAll
    static void once(RankContext rank) {
        before++;
        rank.barrier();
    }

    @BeforeEach
    void everyTime() {
        around++;
    }

    @Test
    void lifecycleMethodsRunOnEveryRank(RankContext rank) {
        assertEquals(1, before);
        assertEquals(1, around);
        rank.barrier();
    }

    @Test
    void runsOnTheJUnitAskedFor(RankContext rank) {
        assertEquals(System.getProperty("cell.junit"), Test.class.getPackage().getImplementationVersion());
        rank.barrier();
    }

    @AfterEach
    void meet(RankContext rank) {
        rank.barrier();
    }
}
