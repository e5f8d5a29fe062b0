package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.FreshRanks;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.DeviceException;
import org.rankunit.device.Stream;
import org.rankunit.graph.TaskArgument;

/** Programs in which kernels access other bytes than they declare, or bytes that nobody has written. All assertions hold. */
public final class ByteCases {

    private ByteCases() {}

    /** The kernels "fill" [to, count] and "sum" [from, count, to]. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @FreshRanks
    @Buffer(name = "x", type = DType.INT32, count = 16)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Declared {

        @Test
        void aAsDeclared(RankContext rank) {
            launch(rank, "fill", TaskArgument.out(x(rank), 64), TaskArgument.scalar(16));
        }

        @Test
        void bWritesBeyond(RankContext rank) {
            launch(rank, "fill", TaskArgument.out(x(rank), 16), TaskArgument.scalar(5));
        }

        @Test
        void cWritesItsInput(RankContext rank) {
            launch(rank, "fill", TaskArgument.in(x(rank), 64), TaskArgument.scalar(4));
        }

        @Test
        void dReadsItsOutput(RankContext rank) {
            launch(
                    rank,
                    "sum",
                    TaskArgument.out(x(rank), 32),
                    TaskArgument.scalar(8),
                    TaskArgument.out(x(rank) + 32, 4));
        }

        @Test
        void eReadsBeyond(RankContext rank) {
            launch(
                    rank,
                    "sum",
                    TaskArgument.in(x(rank), 16),
                    TaskArgument.scalar(8),
                    TaskArgument.out(x(rank) + 32, 4));
        }

        @Test
        void fAnAddressAsAScalar(RankContext rank) {
            launch(
                    rank,
                    "sum",
                    TaskArgument.scalar(x(rank)),
                    TaskArgument.scalar(8),
                    TaskArgument.out(x(rank) + 32, 4));
        }

        @Test
        void gNothingDeclared(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel("fill"), 1, Cores.VECTOR, x(rank), 16);
                stream.synchronize();
            }
        }

        private static long x(RankContext rank) {
            return rank.buffer("x").address();
        }

        static void launch(RankContext rank, String kernel, TaskArgument... arguments) {
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel(kernel), List.of(arguments));
                stream.synchronize();
            }
        }
    }

    /** The same kernels, and memory that the test allocates. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @FreshRanks
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Written {

        @Test
        void aHalfOfAnOutput(RankContext rank) {
            long memory = rank.device().allocate(64);
            Declared.launch(rank, "fill", TaskArgument.out(memory, 64), TaskArgument.scalar(8));
            rank.device().copyOut(memory, new byte[64], 0, 64);
        }

        @Test
        void bAllOfIt(RankContext rank) {
            long memory = rank.device().allocate(64);
            Declared.launch(rank, "fill", TaskArgument.out(memory, 64), TaskArgument.scalar(16));
            rank.device().copyOut(memory, new byte[64], 0, 64);
        }

        @Test
        void cOnlyAfterItWasRead(RankContext rank) {
            long memory = rank.device().allocate(128);
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel("sum"), 1, Cores.VECTOR, memory, 16, memory + 64);
                stream.launch(rank.kernel("fill"), 1, Cores.VECTOR, memory, 16);
                stream.synchronize();
            }
        }

        @Test
        void dByAKernelThatDeclaresNothing(RankContext rank) {
            long memory = rank.device().allocate(128);
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel("fill"), 1, Cores.VECTOR, memory, 16);
                stream.launch(rank.kernel("sum"), 1, Cores.VECTOR, memory, 17, memory + 96);
                stream.synchronize();
            }
        }

        @Test
        void eInTurnByBlocks(RankContext rank) {
            int count = 1 << 20;
            long memory = rank.device().allocate(4L * count);
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel("spread"), 8, Cores.VECTOR, memory, count);
                stream.synchronize();
            }
            byte[] all = new byte[4 * count];
            rank.device().copyOut(memory, all, 0, all.length);
            assertThat(all[4 * count - 4]).isEqualTo((byte) 1);
        }

        @Test
        void fByAtomicOperations(RankContext rank) {
            long memory = rank.device().allocate(4);
            try (Stream stream = rank.device().createStream()) {
                stream.launch(rank.kernel("store"), 1, Cores.VECTOR, memory);
                stream.synchronize();
            }
            rank.device().copyOut(memory, new byte[4], 0, 4);
        }

        @Test
        void gFreedBefore(RankContext rank) {
            long memory = rank.device().allocate(64);
            rank.device().free(memory);
            try (Stream stream = rank.device().createStream()) {
                assertThatThrownBy(() -> stream.launch(rank.kernel("fill"), 1, Cores.VECTOR, memory, 16))
                        .isInstanceOf(DeviceException.class)
                        .hasMessageContaining(
                                "it is 0 bytes into the 64 of allocation 1 in this test at ByteCases.java:")
                        .hasMessageContaining(", which was freed at ByteCases.java:");
            }
            assertThatThrownBy(() -> rank.device().copyOut(memory + 8, new byte[8], 0, 8))
                    .hasMessageContaining("it is 8 bytes into the 64 of allocation 1 in this test at ByteCases.java:");
        }
    }

    /** The kernel "remote" [context, own, count] adds what is in the window of the next rank. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "box", type = DType.INT32, count = 4, placement = Placement.WINDOW)
    @Buffer(name = "sum", type = DType.INT32, count = 4)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class InWindows {

        @Test
        void aThroughTheContext(RankContext rank) {
            rank.barrier();
            Declared.launch(
                    rank,
                    "remote",
                    TaskArgument.scalar(rank.communicator().deviceContext()),
                    TaskArgument.in(rank.buffer("box").address(), 16),
                    TaskArgument.out(rank.buffer("sum").address(), 16));
            rank.barrier();
        }

        @Test
        void bByAnAddress(RankContext rank) {
            long peer = rank.communicator().window(1 - rank.rank()).address()
                    + rank.buffer("box").address()
                    - rank.communicator().windowBase();
            rank.barrier();
            Declared.launch(
                    rank,
                    "sum",
                    TaskArgument.scalar(peer),
                    TaskArgument.scalar(4),
                    TaskArgument.out(rank.buffer("sum").address(), 4));
            rank.barrier();
        }

        @Test
        void cBeyondWhatIsDeclaredThere(RankContext rank) {
            long peer = rank.communicator().window(1 - rank.rank()).address()
                    + rank.buffer("box").address()
                    - rank.communicator().windowBase();
            rank.barrier();
            Declared.launch(
                    rank,
                    "sum",
                    TaskArgument.in(peer, 8),
                    TaskArgument.scalar(4),
                    TaskArgument.out(rank.buffer("sum").address(), 4));
            rank.barrier();
        }
    }

    /** What hardware does otherwise: docs/races.md has a line for each. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @FreshRanks
    @Window(syncPrefix = 64)
    @Buffer(name = "line", type = DType.INT32, count = 16)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class OnHardware {

        @Test
        void aTwoCoresStoreToOneLine(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.launch(
                        rank.kernel("spread"),
                        2,
                        Cores.VECTOR,
                        rank.buffer("line").address(),
                        16);
                stream.synchronize();
            }
            assertThat(rank.buffer("line").readInts()).containsOnly(1);
        }

        @Test
        void bAHostBufferIsReadBeforeItsCopyHasEnded(RankContext rank) {
            ByteBuffer host = ByteBuffer.allocateDirect(64);
            try (Stream stream = rank.device().createStream()) {
                stream.copyOut(host, rank.buffer("line").address());
                assertThat(host.get(0)).isBetween((byte) 0, (byte) 7);
                stream.synchronize();
            }
        }

        @Test
        void cAHostBufferIsChangedBeforeItsCopyHasEnded(RankContext rank) {
            ByteBuffer host = ByteBuffer.allocateDirect(64);
            try (Stream stream = rank.device().createStream()) {
                stream.copyIn(rank.buffer("line").address(), host);
                host.put(0, (byte) 1);
                stream.synchronize();
            }
            assertThat(rank.buffer("line").readInts()[0]).isBetween(0, 1);
        }

        @Test
        void dAKernelSeesWhatAnotherOneWroteAlthoughItHadReadItBefore(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                stream.launch(
                        rank.kernel("read_twice"),
                        2,
                        Cores.VECTOR,
                        rank.buffer("line").address(),
                        rank.semaphoreBase());
                stream.synchronize();
            }
        }

        @Test
        void eAPlainStoreToACellThatAnotherStreamWaitsFor(RankContext rank) {
            try (Stream waiter = rank.device().createStream();
                    Stream storer = rank.device().createStream()) {
                storer.launch(rank.kernel("fill"), 1, Cores.VECTOR, rank.semaphoreBase() + 32, 1);
                waiter.waitUntil(rank.semaphoreBase() + 32, Comparison.EQ, 7);
                waiter.synchronize();
                storer.synchronize();
            }
        }
    }
}
