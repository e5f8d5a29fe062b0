package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.RankTimeout;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.DeviceException;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Tests that end before the work that they have put on streams, or without looking at what became of it. */
@DeviceCount(2)
@Platforms("a2a3sim")
@Window(syncPrefix = 64)
@RankTimeout(100)
@TestMethodOrder(MethodOrderer.MethodName.class)
public class LeftWorkCases {

    @Test
    void aKernelThatFailsUnseen(RankContext rank) {
        if (rank.rank() == 1) {
            rank.device().createStream().launch(rank.kernel("fails"), 42);
        }
    }

    @Test
    @Buffer(name = "x", type = DType.INT32, count = 4)
    void bKernelThatTakesItsTime(RankContext rank) {
        rank.device()
                .createStream()
                .launch(rank.kernel("late"), rank.buffer("x").address());
    }

    /** Its buffer lies where that of the test before was. */
    @Test
    @Buffer(name = "x", type = DType.INT32, count = 4)
    void cTestAfterIt(RankContext rank) {
        for (int look = 0; look < 1_000; look++) {
            assertThat(rank.buffer("x").readInts()).containsOnly(0);
        }
    }

    @Test
    void dWaitThatIsLeft(RankContext rank) {
        if (rank.rank() == 0) {
            rank.device().createStream().waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
        }
    }

    @Test
    void eWaitThatTheOtherRankEnds(RankContext rank) {
        Stream stream = rank.device().createStream();
        if (rank.rank() == 0) {
            stream.waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
        } else {
            stream.signal(rank.communicator().window(0).address(), SignalOperation.SET, 1);
        }
    }

    @Test
    @DeviceRuntime("host_build_graph")
    void fGraphThatIsOnlyClosed(RankContext rank) {
        Stream stream = rank.device().createStream();
        TaskGraph graph = rank.createGraph("failing");
        graph.task("sum", graph.kernel(rank.kernel("fails"), Cores.VECTOR), 1, List.of(TaskArgument.scalar(7)));
        graph.runOn(stream);
        while (isBusy(graph)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isBusy(TaskGraph graph) {
        try {
            graph.close();
            return false;
        } catch (DeviceException e) {
            String message = String.valueOf(e.getMessage());
            if (!message.contains("has not ended there") && !message.contains("it runs, or ")) {
                throw e;
            }
            return true;
        }
    }

    @Test
    void gFailureThatIsExpected(RankContext rank) {
        try (Stream stream = rank.device().createStream()) {
            stream.launch(rank.kernel("fails"), 42);
            assertThatThrownBy(stream::synchronize)
                    .isInstanceOf(DeviceException.class)
                    .hasMessageContaining("returned 42");
        }
    }

    /** Rank 0 has ended long before rank 1 has used its window. */
    @Test
    @Buffer(name = "x", type = DType.INT32, count = 4)
    void hWindowOfARankThatHasEnded(RankContext rank) {
        if (rank.rank() == 0) {
            rank.barrier();
            return;
        }
        long cell = rank.communicator().window(0).address();
        try (Stream stream = rank.device().createStream()) {
            stream.signal(cell, SignalOperation.SET, 1);
            stream.synchronize();
            rank.barrier();
            stream.launch(rank.kernel("late"), rank.buffer("x").address());
            stream.waitUntil(cell, Comparison.EQ, 1);
            stream.synchronize();
        }
    }

    @Test
    void iTestAfterIt() {}

    /** What it leaves is found when the class ends, and does not end up in the next one. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    public static class InAfterAll {

        @Test
        void passes(RankContext rank) {}

        @AfterAll
        static void leaves(RankContext rank) {
            if (rank.rank() == 1) {
                rank.device().createStream().launch(rank.kernel("fails"), 43);
            }
        }
    }

    /** A test that is given up leaves work that fails. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    public static class BeforeAnAssumption {

        @Test
        void isGivenUp(RankContext rank) {
            rank.device().createStream().launch(rank.kernel("fails"), 44);
            Assumptions.assumeTrue(false, "no more");
        }
    }
}
