package org.example;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

@Tag("ranks")
@DeviceCount(2)
class NestedParametersTest {

    @Test
    void around(RankContext rank) {
        rank.barrier();
    }

    @Nested
    @ParameterizedClass
    @ValueSource(ints = {1, 2})
    class Inner {

        @Parameter
        int value;

        @Test
        void first(RankContext rank) {
            rank.barrier();
        }

        @Test
        void second(RankContext rank) {
            rank.barrier();
        }
    }
}
