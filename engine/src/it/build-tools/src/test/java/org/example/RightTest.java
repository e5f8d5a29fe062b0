package org.example;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

class RightTest {

    @Test
    @DeviceCount(1)
    void meets() throws Exception {
        System.out.println("this is right");
        Meeting.of("right", "left");
    }
}
