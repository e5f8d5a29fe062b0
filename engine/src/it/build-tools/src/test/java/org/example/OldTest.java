package org.example;

import org.junit.Test;
import org.junit.jupiter.api.Tag;
import org.rankunit.DeviceCount;

/** A test of JUnit 4, which no rank will run. */
@Tag("ranks")
@DeviceCount(2)
public class OldTest {

    @Test
    public void adds() {}
}
