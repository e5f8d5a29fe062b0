package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

@Tag("ranks")
class LeftTest {

    /** Of this JUnit warns, once, and not in each rank again. */
    @Test
    private void neverRuns() {}

    @Test
    @DeviceCount(1)
    void meets() throws Exception {
        System.out.println("this is left");
        Meeting.of("left", "right");
    }
}
