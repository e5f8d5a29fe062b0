package org.example;

import org.junit.Test;
import org.rankunit.DeviceCount;

/** A test of JUnit 4, which no rank will run. */
@DeviceCount(2)
public class OldTest {

    @Test
    public void adds() {}
}
