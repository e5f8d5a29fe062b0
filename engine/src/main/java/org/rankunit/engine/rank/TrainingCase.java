package org.rankunit.engine.rank;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** The tests of a {@link TrainingRun}: one does what device tests usually do, and one what they do when they fail. */
@DeviceCount(1)
@TestMethodOrder(MethodOrderer.MethodName.class)
class TrainingCase {

    @Test
    void passes(RankContext rank) {
        rank.buffer("x").write(new float[16]);
        rank.barrier();
        Golden.of("y", new float[16]).verify(rank.buffer("y"));
    }

    @Test
    void throwsAnError() {
        throw new AssertionError("training");
    }

    /** After a failure no further test is entered. */
    @Test
    void wouldBeNext() {}

    /** Tests that are not wanted are left out. */
    @Test
    void xIsLeftOut() {}

    /** After the failure it is released, as the other ranks are then. */
    @AfterEach
    void meet(RankContext rank) {
        rank.barrier();
    }
}
