package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.GoldenModel;
import org.rankunit.Nodes;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.run.CollectivePlan;
import org.rankunit.golden.Golden;
import org.rankunit.golden.model.ModelData;
import org.rankunit.golden.model.ModelRank;
import org.rankunit.golden.model.RankModel;

/** Tests on simulators whose windows are those of the backend over MPI. */
public final class MpiCases {

    private static final int COUNT = 256;

    private MpiCases() {}

    private static void note(RankContext rank) {
        Notes.add("nodes " + String.join(",", rank.nodes()));
        Notes.add("pid " + ProcessHandle.current().pid());
    }

    private static boolean isOnThisNode(RankContext rank, int peer) {
        return rank.nodes().get(peer).equals(rank.node());
    }

    private static int wordOf(RankContext rank, int peer) {
        return rank.communicator().window(peer).getInt(0);
    }

    /** Wait for all ranks without a communicator: each leaves a file in the folder of the run, which all nodes see. */
    private static void awaitAll(String what, RankContext rank) throws IOException {
        Path folder = Path.of(System.getProperty("cases.notes"));
        Files.createFile(folder.resolve(what + "-" + rank.rank()));
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (Stream.iterate(0, i -> i < rank.worldSize(), i -> i + 1)
                .anyMatch(i -> !Files.exists(folder.resolve(what + "-" + i)))) {
            assertThat(System.nanoTime()).as("all ranks are there in time").isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** TREDUCE, with the kernel of the samples: the root reads the inputs of all ranks through their windows. */
    @DeviceCount(4)
    @Platforms("a2a3sim")
    @Window(syncPrefix = 256)
    @Buffer(name = "input", type = DType.FLOAT32, count = COUNT, placement = Placement.WINDOW)
    @Buffer(name = "output", type = DType.FLOAT32, count = COUNT, placement = Placement.DEVICE)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Treduce {

        @Test
        @Order(1)
        @Nodes(1)
        void onOneNode(RankContext rank) {
            reduce(rank, 0);
        }

        @Test
        @Order(2)
        @Nodes(2)
        void onTwoNodes(RankContext rank) {
            reduce(rank, 0);
            rank.barrier();
            reduce(rank, 3);
        }

        private static void reduce(RankContext rank, int root) {
            note(rank);
            float[] input = new float[COUNT];
            float[] output = new float[COUNT];
            for (int i = 0; i < COUNT; i++) {
                input[i] = i + 100f * rank.rank();
            }
            Arrays.fill(output, -1);
            rank.buffer("input").write(input);
            rank.buffer("output").write(output);
            rank.barrier();
            rank.kernel("treduce")
                    .launch(
                            rank.buffer("input").address(),
                            rank.buffer("output").address(),
                            rank.worldSize(),
                            root,
                            rank.communicator().deviceContext());
            rank.barrier();
            if (rank.rank() == root) {
                for (int i = 0; i < COUNT; i++) {
                    output[i] = 4f * i + 600;
                }
            }
            Golden.of("output", output).within(1e-5, 1e-5).verify(rank.buffer("output"));
        }
    }

    /** A test whose inputs RankUnit loads, and which does not wait for other ranks before it reads theirs. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3sim")
    @Buffer(name = "input", type = DType.FLOAT32, count = COUNT, placement = Placement.WINDOW, role = Buffer.Role.INPUT)
    @Buffer(name = "output", type = DType.FLOAT32, count = COUNT, role = Buffer.Role.OUTPUT)
    @GoldenModel(Loaded.Inputs.class)
    public static class Loaded {

        static final class Inputs implements RankModel {

            @Override
            public void compute(ModelRank rank, ModelData data) {
                float[] input = new float[COUNT];
                Arrays.fill(input, 100 + rank.rank());
                data.input("input", input);
                float[] output = new float[COUNT];
                Arrays.fill(output, 406);
                data.output("output", output);
            }
        }

        @Test
        void inputsOfAllRanksAreThereWhenATestBegins(RankContext rank) {
            note(rank);
            long offset = rank.buffer("input").address() - rank.communicator().windowBase();
            float[] sums = new float[COUNT];
            for (int peer = 0; peer < rank.worldSize(); peer++) {
                for (int i = 0; i < COUNT; i++) {
                    sums[i] += rank.communicator().window(peer).getFloat(offset + 4L * i);
                }
            }
            rank.buffer("output").write(sums);
        }
    }

    /** What the windows of another node are. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Copies {

        @Test
        @Order(1)
        void windowsOfAnotherNodeAreThoseOfTheLastBarrier(RankContext rank) throws IOException {
            note(rank);
            Notes.add("windows " + rank.communicator().describe());
            rank.communicator().window(rank.rank()).putInt(0, 1);
            rank.barrier();
            rank.communicator().window(rank.rank()).putInt(0, 2);
            awaitAll("written", rank);
            for (int peer = 0; peer < rank.worldSize(); peer++) {
                assertThat(wordOf(rank, peer)).as("rank %d", peer).isEqualTo(isOnThisNode(rank, peer) ? 2 : 1);
            }
            rank.barrier();
            for (int peer = 0; peer < rank.worldSize(); peer++) {
                assertThat(wordOf(rank, peer)).as("rank %d", peer).isEqualTo(2);
            }
        }

        @Test
        @Order(2)
        void aWriteToOneOfThemIsACrash(RankContext rank) {
            rank.barrier();
            if (rank.rank() == 1) {
                rank.communicator().window(3).putInt(0, 1);
            }
            rank.barrier();
        }
    }

    /** What needs more than windows. */
    @DeviceCount(2)
    @Nodes(2)
    @Platforms("a2a3sim")
    public static class Collectives {

        @Test
        void aScheduleIsRefused(RankContext rank) {
            CollectiveCall sum = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.FLOAT32, 64);
            CollectivePlan.of(rank.communicator(), new RingAllReduce(), sum).close();
        }
    }

    /** A rank dies, and then others go on. */
    @DeviceCount(4)
    @Nodes(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    public static class Deaths {

        @Test
        @Order(1)
        void oneExits(RankContext rank) {
            note(rank);
            rank.barrier();
            if (rank.rank() == 2) {
                Runtime.getRuntime().halt(3);
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void oneIsKilled(RankContext rank) {
            note(rank);
            rank.barrier();
            if (rank.rank() == 1) {
                Kernel.signal(Kernel.SIGKILL);
            }
            rank.barrier();
        }

        @Test
        @Order(3)
        void thenPasses(RankContext rank) {
            note(rank);
            rank.barrier();
        }
    }
}
