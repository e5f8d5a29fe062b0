package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.ShakeSchedule;
import org.rankunit.ShakeStrategy;
import org.rankunit.Window;
import org.rankunit.device.Comparison;
import org.rankunit.device.Cores;
import org.rankunit.device.Event;
import org.rankunit.device.SignalOperation;
import org.rankunit.device.Stream;
import org.rankunit.graph.GraphKernel;
import org.rankunit.graph.TaskArgument;
import org.rankunit.graph.TaskGraph;

/** Programs that lack an order, and that do not. */
public final class ShakeCases {

    private static final int BYTES = 64;

    private ShakeCases() {}

    /** One stream writes what another reads. */
    @DeviceCount(1)
    @Platforms("a2a3sim")
    @Buffer(name = "source", type = DType.INT8, count = BYTES)
    @Buffer(name = "x", type = DType.INT8, count = BYTES)
    @Buffer(name = "y", type = DType.INT8, count = BYTES)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class BetweenStreams {

        @Test
        @ShakeSchedule(seeds = 20)
        void aEvent(RankContext rank) {
            run(rank, true);
        }

        @Test
        @ShakeSchedule(seeds = 20)
        void bNoEvent(RankContext rank) {
            run(rank, false);
        }

        @Test
        void cNotShaken(RankContext rank) {
            run(rank, true);
        }

        /** The first stream has nearly always copied when the second one begins. */
        private static void run(RankContext rank, boolean ordered) {
            byte[] data = new byte[BYTES];
            data[5] = 42;
            rank.buffer("source").write(data);
            try (Stream first = rank.device().createStream();
                    Stream second = rank.device().createStream();
                    Event written = rank.device().createEvent()) {
                first.copy(rank.buffer("x").address(), rank.buffer("source").address(), BYTES);
                if (ordered) {
                    first.record(written);
                    second.waitFor(written);
                }
                second.copy(rank.buffer("y").address(), rank.buffer("x").address(), BYTES);
                second.synchronize();
                first.synchronize();
            }
            assertThat(rank.buffer("y").readBytes()).isEqualTo(data);
        }
    }

    /** Each rank sends to the other. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "box", type = DType.INT8, count = BYTES, placement = Placement.WINDOW)
    @Buffer(name = "own", type = DType.INT8, count = BYTES)
    @ShakeSchedule(seeds = 2, strategy = ShakeStrategy.PCT)
    public static class BetweenRanks {

        @Test
        void exchange(RankContext rank) {
            byte[] data = new byte[BYTES];
            data[0] = (byte) (1 + rank.rank());
            rank.buffer("own").write(data);
            RankContext.Peer self = rank.peers().get(rank.rank());
            RankContext.Peer peer = rank.peers().get(1 - rank.rank());
            try (Stream stream = rank.device().createStream()) {
                stream.copy(
                        peer.addressOf(self, rank.buffer("box").address()),
                        rank.buffer("own").address(),
                        BYTES);
                stream.signal(peer.addressOf(self, rank.semaphoreBase()), SignalOperation.SET, 1);
                stream.waitUntil(rank.semaphoreBase(), Comparison.EQ, 1);
                stream.synchronize();
            }
            assertThat(rank.buffer("box").readBytes()[0]).isEqualTo((byte) (2 - rank.rank()));
            assertThat(rank.rank() + rank.intParameter("fails", 0)).isNotEqualTo(2);
            rank.barrier();
        }
    }

    /** Takes the place of what ranks share, so that the test that follows cannot be shaken, and would pass in its usual order. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class InTheWay {

        @Test
        void aTakesThePlace(RankContext rank) throws IOException {
            String[] command = Files.readString(Path.of("/proc/self/cmdline")).split("\0", -1);
            Path control = Path.of(command[command.length - 2]);
            if (rank.rank() == 0) {
                Files.createDirectory(control.resolveSibling("order-of-ranks"));
            }
            rank.barrier();
        }

        @Test
        @ShakeSchedule(seeds = 1)
        void bCannotBeShaken(RankContext rank) {
            rank.barrier();
        }

        @Test
        void cIsNotToBeShaken(RankContext rank) {
            rank.barrier();
        }
    }

    /** Whatever a rank prepares in its first test, it is no decision of that test. */
    @DeviceCount(2)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 64)
    @Buffer(name = "box", type = DType.INT32, count = 4, placement = Placement.WINDOW)
    @Buffer(name = "own", type = DType.INT32, count = 4)
    @ShakeSchedule(seeds = 1)
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class Alike {

        @Test
        void a(RankContext rank) {
            run(rank);
        }

        @Test
        void b(RankContext rank) {
            run(rank);
        }

        @Test
        void c(RankContext rank) {
            run(rank);
        }

        private static void run(RankContext rank) {
            RankContext.Peer self = rank.peers().get(rank.rank());
            RankContext.Peer peer = rank.peers().get(1 - rank.rank());
            TaskArgument own = TaskArgument.out(rank.buffer("own").address(), 16);
            TaskArgument one = TaskArgument.scalar(1);
            rank.buffer("own").write(1, 2, 3, 4);
            long memory = rank.device().allocate(64);
            rank.kernel("fill").launch(rank.buffer("own").address(), 5);
            rank.device().synchronize();
            try (Stream stream = rank.device().createStream();
                    TaskGraph graph = rank.createGraph("alike")) {
                stream.launch(rank.kernel("fill"), 1, Cores.VECTOR, List.of(own, one));
                GraphKernel fill = graph.kernel(rank.kernel("fill"), Cores.VECTOR);
                graph.task(fill, own, one).after(graph.task(fill, own, one));
                stream.copy(
                        peer.addressOf(self, rank.buffer("box").address()),
                        rank.buffer("own").address(),
                        16);
                stream.signal(peer.addressOf(self, rank.semaphoreBase()), SignalOperation.SET, 1);
                stream.waitUntil(rank.semaphoreBase(), Comparison.EQ, 1);
                stream.synchronize();
                graph.run();
            }
            rank.device().free(memory);
            rank.barrier();
            assertThat(rank.buffer("box").readInts()).isEmpty();
        }
    }

    /** A mistake. */
    @DeviceCount(1)
    public static class WithoutSeeds {

        @Test
        @ShakeSchedule(seeds = 0)
        void never(RankContext rank) {}
    }
}
