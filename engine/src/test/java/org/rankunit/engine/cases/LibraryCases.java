package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;

/** Tests that are run with a communication library which is not the platform's own. */
public final class LibraryCases {

    private LibraryCases() {}

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Windows {

        @Test
        @Buffer(name = "x", type = DType.INT32, count = 4, placement = Placement.WINDOW)
        void aBuffersLieInItsWindows(RankContext rank) {
            int peer = 1 - rank.rank();
            rank.buffer("x").write(new int[] {100 + rank.rank(), 0, 0, 0});
            rank.barrier();
            long offset = rank.buffer("x").address() - rank.communicator().windowBase();
            assertThat(rank.communicator().window(peer).getInt(offset)).isEqualTo(100 + peer);
            rank.barrier();
        }

        @Test
        void bOneRankFailsWhileTheOtherWaits(RankContext rank) {
            assertThat(rank.rank()).as("only rank 1 gets on").isEqualTo(1);
            rank.barrier();
        }

        @Test
        void cTheNextTestHasNewRanks(RankContext rank) {
            rank.barrier();
        }
    }
}
