package org.rankunit.engine.cases;

import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.DeviceRuntime;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.Event;
import org.rankunit.device.Notify;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.GraphTask;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Programs with and without what orders their accesses to memory. All of their assertions hold. */
public final class RaceCases {

    private static final int BYTES = 64;

    private RaceCases() {}

    /** Rank 0 sends to rank 1. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "box", type = DType.INT8, count = BYTES, placement = Placement.WINDOW)
    @Buffer(name = "own", type = DType.INT8, count = BYTES)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BetweenRanks {

        @Test
        void aWaitForTheSignal(RankContext rank) {
            send(rank, true, 1);
        }

        @Test
        void bNoWait(RankContext rank) {
            send(rank, false, 1);
        }

        @Test
        void cSignalThatNobodySees(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() == 0) {
                    stream.signal(cellOfPeer(rank), SignalOperation.SET, 1);
                    stream.signal(cellOfPeer(rank), SignalOperation.SET, 2);
                }
                stream.synchronize();
                rank.barrier();
                if (rank.rank() == 1) {
                    stream.waitUntil(rank.semaphoreBase(), Comparison.EQ, 2);
                }
                stream.synchronize();
            }
        }

        @Test
        void dBarrier(RankContext rank) {
            if (rank.rank() == 0) {
                rank.device().copy(boxOfPeer(rank), rank.buffer("own").address(), BYTES);
            }
            rank.barrier();
            rank.buffer("box").readBytes();
        }

        @Test
        void eRoundsThatAreNotNumbered(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                for (int round = 1; round <= 2; round++) {
                    if (rank.rank() == 0) {
                        stream.signal(cellOfPeer(rank), SignalOperation.SET, 1);
                    } else {
                        stream.waitUntil(rank.semaphoreBase(), Comparison.GE, 1);
                    }
                    stream.synchronize();
                }
            }
            rank.barrier();
        }

        @Test
        void fRoundsThatAreNumbered(RankContext rank) {
            for (int round = 1; round <= 3; round++) {
                send(rank, true, round);
            }
        }

        private static void send(RankContext rank, boolean waits, int round) {
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() == 0) {
                    stream.copy(boxOfPeer(rank), rank.buffer("own").address(), BYTES);
                    stream.signal(cellOfPeer(rank), SignalOperation.SET, round);
                } else {
                    if (waits) {
                        stream.waitUntil(rank.semaphoreBase(), Comparison.EQ, round);
                    }
                    stream.copy(rank.buffer("own").address(), rank.buffer("box").address(), BYTES);
                }
                stream.synchronize();
            }
            rank.barrier();
        }

        private static long boxOfPeer(RankContext rank) {
            return toPeer(rank, rank.buffer("box").address());
        }

        private static long cellOfPeer(RankContext rank) {
            return toPeer(rank, rank.semaphoreBase());
        }

        private static long toPeer(RankContext rank, long address) {
            return rank.peers().get(1 - rank.rank()).addressOf(rank.peers().get(rank.rank()), address);
        }
    }

    /** Two streams of one rank. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT8, count = BYTES)
    @Buffer(name = "y", type = DType.INT8, count = BYTES)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BetweenStreams {

        @Test
        void aEvent(RankContext rank) {
            try (Stream first = rank.device().createStream();
                    Stream second = rank.device().createStream();
                    Event written = rank.device().createEvent()) {
                first.zero(rank.buffer("x").address(), BYTES);
                first.record(written);
                second.waitFor(written);
                second.copy(rank.buffer("y").address(), rank.buffer("x").address(), BYTES);
                second.synchronize();
                first.synchronize();
            }
            rank.buffer("y").readBytes();
        }

        @Test
        void bNoEvent(RankContext rank) {
            try (Stream first = rank.device().createStream();
                    Stream second = rank.device().createStream()) {
                first.zero(rank.buffer("x").address(), BYTES);
                second.copy(rank.buffer("y").address(), rank.buffer("x").address() + 32, 32);
                second.synchronize();
                first.synchronize();
            }
        }

        @Test
        void cHostThatDoesNotSynchronize(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.zero(rank.buffer("x").address(), BYTES);
                rank.buffer("x").readBytes();
                stream.synchronize();
            }
        }

        @Test
        void dNotifyPostedTwice(RankContext rank) {
            try (Notify notify = rank.device().createNotify();
                    Stream stream = rank.device().createStream()) {
                stream.post(notify);
                stream.post(notify);
                stream.waitFor(notify);
                stream.synchronize();
            }
        }

        @Test
        void fMemoryThatNobodyWrote(RankContext rank) {
            long address = rank.device().allocate(BYTES);
            rank.device().zero(address, BYTES / 2);
            rank.device().copyOut(address, new byte[BYTES], 0, BYTES);
            rank.device().free(address);
            // not the same memory, even at the same address
            long again = rank.device().allocate(BYTES);
            rank.device().zero(again, BYTES);
            rank.device().copyOut(again, new byte[BYTES], 0, BYTES);
            rank.device().free(again);
        }

        @Test
        void ePostThatNobodyTakes(RankContext rank) {
            postAndTakeAndPost(rank, rank.device().createNotify());
        }

        /** Nobody can wait for it any more. */
        @Test
        void gCreditThatIsLeftInANotifyThatIsDestroyed(RankContext rank) {
            try (Notify notify = rank.device().createNotify()) {
                postAndTakeAndPost(rank, notify);
            }
        }

        private static void postAndTakeAndPost(RankContext rank, Notify notify) {
            try (Stream stream = rank.device().createStream()) {
                stream.post(notify);
                stream.waitFor(notify);
                stream.post(notify);
                stream.synchronize();
            }
        }
    }

    /** Two streams whose kernels use the same buffer; the kernel "fill" fills it with a number. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "x", type = DType.INT32, count = 4)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BetweenLaunches {

        @Test
        void aEvent(RankContext rank) {
            run(rank, true);
        }

        @Test
        void bNoEvent(RankContext rank) {
            run(rank, false);
        }

        private static void run(RankContext rank, boolean ordered) {
            TaskArgument x = TaskArgument.out(rank.buffer("x").address(), 16);
            try (Stream first = rank.device().createStream();
                    Stream second = rank.device().createStream();
                    Event filled = rank.device().createEvent()) {
                first.launch(rank.kernel("fill"), List.of(x, TaskArgument.scalar(1)));
                first.record(filled);
                if (ordered) {
                    second.waitFor(filled);
                }
                second.launch(rank.kernel("fill"), 1, Cores.VECTOR, List.of(x, TaskArgument.scalar(2)));
                second.synchronize();
                first.synchronize();
            }
            rank.buffer("x").readInts();
        }
    }

    /** The kernel "poke" writes the window of the peer through a pointer, and "peek" reads it there. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "box", type = DType.INT8, count = BYTES, placement = Placement.WINDOW)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class ThroughPointers {

        @Test
        void aBarrier(RankContext rank) {
            run(rank, true);
        }

        @Test
        void bNoBarrier(RankContext rank) {
            run(rank, false);
        }

        private static void run(RankContext rank, boolean ordered) {
            try (Stream stream = rank.device().createStream()) {
                if (rank.rank() == 0) {
                    stream.launch(rank.kernel("poke"), List.of(TaskArgument.scalar(BetweenRanks.boxOfPeer(rank))));
                    stream.synchronize();
                }
                if (ordered) {
                    rank.barrier();
                }
                if (rank.rank() == 1) {
                    stream.launch(
                            rank.kernel("peek"),
                            List.of(TaskArgument.scalar(rank.buffer("box").address())));
                    stream.synchronize();
                }
            }
            rank.barrier();
        }
    }

    /** Two tasks that write the same buffer; the kernel "fill" fills it with a number. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @DeviceRuntime("host_build_graph")
    @Buffer(name = "x", type = DType.INT32, count = 4)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BetweenTasks {

        @Test
        void aEdge(RankContext rank) {
            run(rank, true);
        }

        @Test
        void bNoEdge(RankContext rank) {
            run(rank, false);
        }

        private static void run(RankContext rank, boolean ordered) {
            try (TaskGraph graph = rank.createGraph("two writers")) {
                GraphKernel fill = graph.kernel(rank.kernel("fill"), Cores.VECTOR);
                TaskArgument x = TaskArgument.out(rank.buffer("x").address(), 16);
                GraphTask first = graph.task(fill, x, TaskArgument.scalar(1), TaskArgument.scalar(0));
                GraphTask second = graph.task(fill, x, TaskArgument.scalar(2), TaskArgument.scalar(0));
                if (ordered) {
                    second.after(first);
                }
                graph.run();
            }
            rank.buffer("x").readInts();
        }
    }
}
