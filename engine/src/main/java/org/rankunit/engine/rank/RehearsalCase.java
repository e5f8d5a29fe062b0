package org.rankunit.engine.rank;

import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** The test of a {@link Rehearsal}: does what device tests usually do. */
class RehearsalCase {

    @Test
    @DeviceCount(1)
    void rehearse(RankContext rank) {
        rank.buffer("x").write(new float[16]);
        rank.barrier();
        Golden.of("y", new float[16]).verify(rank.buffer("y"));
    }
}
