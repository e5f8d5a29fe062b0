package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

@Tag("ranks")
class RightTest {

    @Test
    @DeviceCount(1)
    void meets() throws Exception {
        System.out.println("this is right");
        Meeting.of("right", "left");
    }
}
