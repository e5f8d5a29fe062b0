package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.ShakeSchedule;
import org.rankunit.ShakeStrategy;
import org.rankunit.Window;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;

/** What a rank sees depends on the order in which the ranks come. */
public final class ShakenOrderCases {

    private ShakenOrderCases() {}

    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "seen", type = DType.INT32, count = 4)
    abstract static class OnSimulators {

        static void look(RankContext rank, Stream stream) {
            stream.launch(
                    rank.kernel("look"),
                    rank.semaphoreBase(),
                    rank.buffer("seen").address());
        }

        static void signal(RankContext rank, Stream stream, int target) {
            RankContext.Peer self = rank.peers().get(rank.rank());
            stream.signal(rank.peers().get(target).addressOf(self, rank.semaphoreBase()), SignalOperation.ADD, 1);
        }

        static int seen(RankContext rank) {
            return rank.buffer("seen").readInts()[0];
        }
    }

    /** Rank 1 looks once, and rank 0 signals three times. */
    @DeviceCount(2)
    public static class LooksOnce extends OnSimulators {

        @Test
        @ShakeSchedule(seeds = 100, strategy = ShakeStrategy.PCT)
        void looksOnce(RankContext rank) {
            rank.barrier();
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() == 1) {
                    look(rank, stream);
                }
                for (int turn = 0; turn < 3 && rank.rank() == 0; turn++) {
                    signal(rank, stream, 1);
                }
                stream.synchronize();
            }
            if (rank.rank() == 1) {
                System.out.println("saw " + seen(rank));
            }
            rank.barrier();
        }
    }

    /** A rank looks once whether the one before it has signalled, does something else if not, and then signals the next one. */
    abstract static class FallsBack extends OnSimulators {

        @Test
        @ShakeSchedule(seeds = 30, strategy = ShakeStrategy.PCT)
        void fallsBack(RankContext rank) {
            rank.barrier();
            int seen = 0;
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() > 0) {
                    look(rank, stream);
                }
                if (rank.rank() + 1 < rank.worldSize()) {
                    signal(rank, stream, rank.rank() + 1);
                }
                stream.synchronize();
                seen = rank.rank() > 0 ? seen(rank) : 1;
            }
            rank.barrier();
            System.out.println("of " + rank.worldSize() + " rank " + rank.rank() + " saw " + seen);
            assertThat(seen).isGreaterThanOrEqualTo(rank.intParameter("least", 0));
        }
    }

    @DeviceCount(2)
    public static class FallsBackOnTwoRanks extends FallsBack {}

    @DeviceCount(3)
    public static class FallsBackOnThreeRanks extends FallsBack {}
}
