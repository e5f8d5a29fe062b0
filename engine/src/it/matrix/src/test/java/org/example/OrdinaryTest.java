package org.example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class OrdinaryTest {

    @Test
    void runsOnTheJUnitAskedFor() {
        assertEquals(System.getProperty("cell.junit"), Test.class.getPackage().getImplementationVersion());
    }
}
