package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.engine.TestEngine;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class AlignedTest {

    @Test
    void anOrdinaryTestRunsOnTheUsersJUnit() {
        expectPlatformOfTheUser();
    }

    @Test
    @DeviceCount(2)
    void aRankRunsOnTheUsersJUnit(RankContext rank) {
        expectPlatformOfTheUser();
        rank.barrier();
    }

    private static void expectPlatformOfTheUser() {
        for (Class<?> type : new Class<?>[] {TestEngine.class, ReflectionSupport.class}) {
            assertEquals("1.14.4", type.getPackage().getImplementationVersion());
        }
        assertEquals("5.14.4", Test.class.getPackage().getImplementationVersion());
    }
}
