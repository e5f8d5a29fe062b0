package org.example;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;

@Tag("ranks")
@ParameterizedClass
@ValueSource(ints = {1, 2})
class HalfMarkedTest {

    HalfMarkedTest(int number) {}

    @Test
    void ordinary() {}

    @Test
    @DeviceCount(2)
    void onDevices() {}
}
