package org.example;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

class LeftTest {

    @Test
    @DeviceCount(1)
    void meets() throws Exception {
        System.out.println("this is left");
        Meeting.of("left", "right");
    }
}
