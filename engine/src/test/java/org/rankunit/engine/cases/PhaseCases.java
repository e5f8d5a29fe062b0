package org.rankunit.engine.cases;

import static org.junit.jupiter.api.Assertions.assertAll;

import java.time.Duration;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.FreshRanks;
import org.rankunit.Placement;
import org.rankunit.RankContext;
import org.rankunit.Values;
import org.rankunit.golden.Golden;

/** Tests in different phases. */
public final class PhaseCases {

    private PhaseCases() {}

    /** Nothing fails, on one group that nothing else uses. */
    @FreshRanks
    @DeviceCount(2)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Passing {

        @Test
        @Order(1)
        @Buffer(name = "x", type = DType.INT32, count = 2)
        void goesThroughAll(RankContext rank) {
            rank.buffer("x").write(Values.int32(1, 2));
            rank.barrier();
            Golden.of("x", 1, 2).verify(rank.buffer("x"));
            rank.barrier();
        }

        @Test
        @Order(2)
        void runsOnly() {}

        @ParameterizedTest
        @ValueSource(ints = 1)
        @Order(3)
        @Buffer(name = "x", type = DType.INT32, count = 2)
        void hasABuffer(int number) {}

        @Test
        @Order(4)
        @Disabled("as is")
        void isSkipped() {}

        @Test
        @Order(5)
        void isTheLast() {}
    }

    /** Each fails in another phase. */
    @DeviceCount(2)
    @Buffer(name = "x", type = DType.INT32, count = 2, placement = Placement.WINDOW)
    public static class Failing {

        @Test
        void inTheBody(RankContext rank) {
            throw new IllegalStateException("body of rank " + rank.rank());
        }

        @Test
        void inABarrier(RankContext rank) {
            if (rank.rank() == 0) {
                rank.barrier(Duration.ofMillis(50));
            }
        }

        /** The window is gone with the communicator. */
        @Test
        void whileItCollects(RankContext rank) {
            if (rank.rank() == 0) {
                rank.communicator().close();
                rank.buffer("x").read();
            }
        }

        @Test
        void onAGolden(RankContext rank) {
            assertAll(() -> Golden.of("x", 1, 2).verify(rank.buffer("x")));
        }
    }
}
