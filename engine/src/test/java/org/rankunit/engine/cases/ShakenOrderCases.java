package org.rankunit.engine.cases;

import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.shake.ShakeSchedule;
import org.rankunit.shake.ShakeStrategy;

/** What a rank sees depends on the order in which the ranks come. */
@DeviceCount(2)
@Platforms("a2a3sim")
@Window(syncPrefix = 64)
@Buffer(name = "seen", type = DType.INT32, count = 4)
public class ShakenOrderCases {

    private static final int SEEDS = 100;

    /** Rank 1 looks once, and rank 0 signals three times: returns what rank 1 has seen. */
    private static int seen(RankContext rank) {
        rank.barrier();
        try (Stream stream = rank.device().createStream()) {
            if (rank.rank() == 0) {
                RankContext.Peer self = rank.peers().get(0);
                long cell = rank.peers().get(1).addressOf(self, rank.semaphoreBase());
                for (int turn = 0; turn < 3; turn++) {
                    stream.signal(cell, SignalOperation.ADD, 1);
                }
            } else {
                stream.launch(
                        rank.kernel("look"),
                        rank.semaphoreBase(),
                        rank.buffer("seen").address());
            }
            stream.synchronize();
        }
        int seen = rank.rank() == 0 ? 3 : rank.buffer("seen").readInts()[0];
        rank.barrier();
        return seen;
    }

    @Test
    @ShakeSchedule(seeds = SEEDS, strategy = ShakeStrategy.PCT)
    void looksOnce(RankContext rank) {
        int seen = seen(rank);
        if (rank.rank() == 1) {
            System.out.println("saw " + seen);
        }
    }
}
