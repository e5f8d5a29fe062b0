package org.rankunit.engine.cases;

import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.RankTimeout;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Kernels that never end, that crash, or that end their process. */
public final class KernelFaultCases {

    private KernelFaultCases() {}

    private static void runOnStream(RankContext rank, String kernel) {
        try (Stream stream = rank.device().createStream()) {
            stream.launch(rank.kernel(kernel), rank.rank());
            stream.synchronize();
        }
    }

    private static void runAsTask(RankContext rank, String kernel) {
        try (TaskGraph graph = rank.createGraph("faulty")) {
            graph.task("sum", graph.kernel(rank.kernel(kernel), Cores.VECTOR), 1, List.of(TaskArgument.scalar(7)));
            graph.run();
        }
    }

    /** Rank 1 runs a kernel that never ends, and rank 0 waits for it in its own way. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @RankTimeout(100)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Endless {

        @Test
        void aOnAStream(RankContext rank) {
            if (rank.rank() == 1) {
                runOnStream(rank, "spins");
            }
            rank.barrier();
        }

        @Test
        void bWhileBothWaitForSignals(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() == 1) {
                    stream.launch(rank.kernel("spins"), 1);
                }
                stream.signal(rank.communicator().window(1 - rank.rank()).address(), SignalOperation.SET, 1);
                stream.waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
                stream.synchronize();
            }
        }

        @Test
        void cWhileTheOtherKernelWaits(RankContext rank) {
            runAgainst(rank, "waits");
        }

        @Test
        void dWhileTheOtherKernelPolls(RankContext rank) {
            runAgainst(rank, "polls");
        }

        private static void runAgainst(RankContext rank, String kernel) {
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel(rank.rank() == 1 ? "spins" : kernel), rank.semaphoreBase());
                stream.synchronize();
            }
        }

        @Test
        void eLeftAtTheEnd(RankContext rank) {
            if (rank.rank() == 1) {
                rank.device().createStream().launch(rank.kernel("spins"), 1);
            }
        }

        @Test
        void fThenPasses(RankContext rank) {
            rank.barrier();
        }

        @Test
        @DeviceRuntime("host_build_graph")
        void gAsATask(RankContext rank) {
            if (rank.rank() == 1) {
                runAsTask(rank, "spins");
            }
            rank.barrier();
        }

        @Test
        @DeviceRuntime("tensormap_and_ringbuffer")
        void hInTheOrchestration(RankContext rank) {
            if (rank.rank() == 1) {
                try (TaskGraph graph = rank.createGraph("faulty")) {
                    graph.orchestration(rank.orchestration("turns"));
                    graph.run();
                }
            }
            rank.barrier();
        }
    }

    /** Rank 1 runs a kernel that ends its process. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @RankTimeout(100)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Fatal {

        @Test
        void aStackOverflow(RankContext rank) {
            onRank1(rank, "recurses");
        }

        @Test
        void bAbort(RankContext rank) {
            onRank1(rank, "aborts");
        }

        @Test
        void cExit0(RankContext rank) {
            onRank1(rank, "exits0");
        }

        @Test
        void dExit3(RankContext rank) {
            onRank1(rank, "exits3");
        }

        @Test
        void eNull(RankContext rank) {
            onRank1(rank, "writes_null");
        }

        private static void onRank1(RankContext rank, String kernel) {
            if (rank.rank() == 1) {
                runOnStream(rank, kernel);
            }
            rank.barrier();
        }

        @Test
        void fLaunchedByTheHost(RankContext rank) {
            if (rank.rank() == 1) {
                rank.kernel("exits0").launch(1);
            }
            rank.barrier();
        }

        @Test
        void gLeftAtTheEnd(RankContext rank) {
            if (rank.rank() == 1) {
                rank.device().createStream().launch(rank.kernel("exits0"), 1);
            }
        }

        /** The signal has come when the test ends, and its JVM has hardly begun to end. */
        @Test
        void hSignalJustBeforeTheEnd(RankContext rank) {
            if (rank.rank() == 1) {
                rank.kernel("terminates").launch(1);
            }
        }

        @Test
        void iThenPasses(RankContext rank) {
            rank.barrier();
        }

        @Test
        @DeviceRuntime("host_build_graph")
        void jAsATask(RankContext rank) {
            if (rank.rank() == 1) {
                runAsTask(rank, "writes_null");
            }
            rank.barrier();
        }
    }
}
