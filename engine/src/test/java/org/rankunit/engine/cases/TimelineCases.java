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
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;

/** Tests that leave something to see in a timeline. */
public final class TimelineCases {

    private TimelineCases() {}

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 256)
    @Buffer(name = "token", type = DType.INT32, count = 4, placement = Placement.WINDOW)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Signals {

        @Test
        void aPasses(RankContext rank) {
            meet(rank, 1);
        }

        @Test
        void bFails(RankContext rank) {
            meet(rank, 1);
            assertThat(rank.rank()).isZero();
        }

        /** Each rank copies its first element behind that of the other one, tells it, and waits to be told. */
        private static void meet(RankContext rank, int value) {
            long own = rank.communicator().windowBase();
            long other = rank.communicator().window(1 - rank.rank()).address();
            try (Stream stream = rank.device().createStream()) {
                stream.copy(other + 260, own + 256, Integer.BYTES);
                stream.signal(other, SignalOperation.SET, value);
                stream.waitUntil(own, Comparison.EQ, value);
                stream.synchronize();
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 256)
    public static class Crash {

        @Test
        void crashes(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.zero(rank.communicator().windowBase(), Integer.BYTES);
                stream.synchronize();
            }
            rank.barrier();
            if (rank.rank() == 1) {
                Runtime.getRuntime().halt(3);
            }
            rank.barrier();
        }
    }
}
