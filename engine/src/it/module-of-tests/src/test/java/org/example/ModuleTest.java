package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class ModuleTest {

    @Test
    void anOrdinaryTestIsInTheModuleAndRankUnitInOneToo() {
        assertEquals("org.example.tests", getClass().getModule().getName());
        assertEquals("org.rankunit", RankContext.class.getModule().getName());
    }

    @Test
    @DeviceCount(2)
    void aRankHasEverythingOnItsClassPath(RankContext rank) {
        assertFalse(getClass().getModule().isNamed());
        assertFalse(RankContext.class.getModule().isNamed());
        rank.barrier();
    }
}
