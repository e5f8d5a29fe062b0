package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ranks")
class OrdinaryTest {

    @Test
    void runsOnTheJUnitAskedFor() {
        assertEquals(System.getProperty("cell.junit"), Test.class.getPackage().getImplementationVersion());
    }
}
