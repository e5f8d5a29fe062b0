package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
class ModularTest {

    @Test
    void anOrdinaryTestIsInTheModule() throws Exception {
        assertEquals("org.example.modules", getClass().getModule().getName());
        expectAllToWork();
    }

    @Test
    @DeviceCount(2)
    void aRankHasEverythingOnItsClassPath(RankContext rank) throws Exception {
        assertFalse(getClass().getModule().isNamed());
        expectAllToWork();
        rank.barrier();
    }

    private static void expectAllToWork() throws Exception {
        assertEquals(6, Product.of(2, 3));
        assertNotNull(Product.required());
        assertNotNull(ModularTest.class.getResource("note.txt"));
        assertNotNull(Class.forName("java.sql.Driver"));
        Field opened = String.class.getDeclaredField("value");
        opened.setAccessible(true);
    }
}
