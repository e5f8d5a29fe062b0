package org.rankunit.engine.rank;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** The tests of a {@link ClassArchiveWarmUp}: one does what device tests usually do, and one does what they do when they fail. */
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

    /** Refused: no further test is entered after a failure. */
    @Test
    void wouldBeNext() {}

    /** Not selected, and therefore filtered out. */
    @Test
    void xIsLeftOut() {}

    /** After the failure this wait is released, as it is on the other ranks in a real run. */
    @AfterEach
    void meet(RankContext rank) {
        rank.barrier();
    }
}
