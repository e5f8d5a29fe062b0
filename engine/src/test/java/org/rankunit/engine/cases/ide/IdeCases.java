package org.rankunit.engine.cases.ide;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.Golden;

@TestMethodOrder(MethodOrderer.MethodName.class)
public class IdeCases {

    @Test
    void ordinary() {}

    @Test
    @DeviceCount(2)
    @Platforms("a2a3sim")
    void passes(RankContext rank) {
        rank.barrier();
    }

    @ParameterizedTest(name = "with {0}")
    @ValueSource(ints = {10, 20, 30})
    @DeviceCount(2)
    @Platforms("a2a3sim")
    void values(int value, RankContext rank) {
        rank.barrier();
    }

    /** On every rank, as goldens usually are; none is released before it has found out. */
    @Test
    @DeviceCount(2)
    @Platforms("a2a3sim")
    void wrong(RankContext rank) {
        try {
            Golden.of("output", 1f, 2f, 3f).verify(Values.float32(1, 0, 4));
        } finally {
            rank.barrier();
        }
    }
}
