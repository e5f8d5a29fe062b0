package org.rankunit.collective.run;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntToDoubleFunction;
import org.rankunit.DType;
import org.rankunit.collective.algorithms.mesh.AllGatherMeshOpbaseExecutor;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;
import org.rankunit.comm.CommException;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;

/** What the ranks of {@link CollectivePlanTest} do; each prints what it has found. */
enum RankScenario {

    /** Each rank's element i is (rank + 1) * (i + round). */
    RING_ALL_REDUCE {
        @Override
        void run(Communicator comm, Device device) {
            int count = 1003;
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, comm.worldSize(), DType.FLOAT32, count);
            long output = 8192;
            int ranks = comm.worldSize();
            try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call)) {
                for (int round = 0; round < 20; round++) {
                    int of = round;
                    write(device, comm.windowBase(), count, i -> (comm.rank() + 1) * (i + of));
                    plan.run(0, output);
                    compare(device, comm.windowBase() + output, count, i -> ranks * (ranks + 1) / 2 * (i + of));
                }
            }
            System.out.println("equal");
        }
    },

    /** Each rank contributes another number of elements, from memory of its device. */
    MESH_ALL_GATHER {
        @Override
        void run(Communicator comm, Device device) {
            List<Long> counts = List.of(100L, 0L, 333L, 7L).subList(0, comm.worldSize());
            CollectiveCall call = CollectiveCall.of(Collective.ALL_GATHER, comm.worldSize(), DType.FLOAT32, 0)
                    .withCounts(counts)
                    .withMemory(MemoryMode.SINGLE_OPERATOR, 4096);
            int own = counts.get(comm.rank()).intValue();
            int all = (int) (call.outputBytes(comm.rank()) / Float.BYTES);
            long input = device.allocate(4096);
            long output = device.allocate(4096);
            try (Collectives collectives = new Collectives(comm)) {
                for (int round = 0; round < 20; round++) {
                    int of = round;
                    int first = (int) call.partOf(comm.rank()).from() / Float.BYTES;
                    write(device, input, own, i -> first + i + of);
                    collectives.run("all", new AllGatherMeshOpbaseExecutor(), call, input, output);
                    compare(device, output, all, i -> i + of);
                }
            }
            System.out.println("equal");
        }
    },

    /** All algorithms that work in windows, with several counts, each twice in a row. */
    REPERTOIRE {
        @Override
        void run(Communicator comm, Device device) {
            RepertoireRun.all(comm, device, Reduction.PROD);
        }
    },

    /** The same with a reduction that streams of devices have. */
    REPERTOIRE_OF_SUMS {
        @Override
        void run(Communicator comm, Device device) {
            RepertoireRun.all(comm, device, Reduction.SUM);
        }
    },

    /** Programs of MSCCL, each twice in a row. */
    PROGRAMS_OF_MSCCL {
        @Override
        void run(Communicator comm, Device device) {
            RepertoireRun.programs(comm, device);
        }
    },

    /** One that streams of devices do not have, and then one that they have. */
    PRODUCTS {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall sums = CollectiveCall.of(Collective.ALL_REDUCE, comm.worldSize(), DType.FLOAT32, 100);
            try (CollectivePlan plan =
                    CollectivePlan.of(comm, new RingAllReduce(), sums.withReduction(Reduction.PROD))) {
                plan.run(0, 1024);
            } catch (CommException e) {
                System.out.println(e.error() + ": " + e.getMessage());
            }
            CollectivePlan.of(comm, new RingAllReduce(), sums).close();
        }
    },

    /** Each of the operators with HCCL's signature, twice, behind a copy on the stream. */
    OPERATORS {
        @Override
        void run(Communicator comm, Device device) {
            OperatorsRun.all(comm, device);
        }
    },

    /** The ranks disagree on the number of elements. */
    OTHER_COUNTS {
        @Override
        void run(Communicator comm, Device device) {
            CollectivePlan.of(
                            comm,
                            new RingAllReduce(),
                            CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100 + comm.rank()))
                    .close();
        }
    },

    /** Rank 1 has its output elsewhere. */
    OTHER_OFFSETS {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call)) {
                plan.run(0, 1024 + 512L * comm.rank());
            }
        }
    },

    /** The ranks run algorithms of the same name that queue different tasks. */
    SAME_NAME {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            CollectivePlan.of(comm, comm.rank() == 0 ? new SameNames.Ring.Same() : new SameNames.Tree.Same(), call)
                    .close();
        }
    },

    /** Plans of algorithms that their names do not tell apart, and of more calls than are kept. */
    KEPT_PLANS {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, comm.worldSize(), DType.INT32, 100);
            try (Collectives collectives = new Collectives(comm, 2)) {
                CollectivePlan ring = collectives.plan("", new SameNames.Ring.Same(), call);
                CollectivePlan tree = collectives.plan("", new SameNames.Tree.Same(), call);
                System.out.println(ring != tree);
                System.out.println(ring == collectives.plan("", new SameNames.Either(true), call));
                System.out.println(tree == collectives.plan("", new SameNames.Either(false), call));
                System.out.println(ring == collectives.plan("", SameNames.anonymous(true), call));
                System.out.println(tree == collectives.plan("", SameNames.anonymous(false), call));
                System.out.println(ring == collectives.plan("", new SameNames.Ring.Same(), call));
                CollectivePlan third = collectives.plan("", new RingAllReduce(), call.withCount(200));
                third.run(0, 1024);
                System.out.println(ring == collectives.plan("", new SameNames.Ring.Same(), call));
                System.out.println(tree != collectives.plan("", new SameNames.Tree.Same(), call));
                System.out.println(collectives);
            }
        }
    },

    /** Rank 1 alone is given an output outside of the windows. */
    REFUSED_OUTPUT {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call)) {
                plan.run(0, comm.rank() == 0 ? 1024 : 1 << 30);
            }
        }
    },

    /** Rank 1 alone has closed its plan. */
    CLOSED_PLAN {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call);
            if (comm.rank() == 1) {
                plan.close();
            }
            plan.run(0, 1024);
        }
    },

    /** The algorithm of rank 1 alone does not apply. */
    REFUSED_ALGORITHM {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            CollectivePlan.of(comm, comm.rank() == 0 ? new RingAllReduce() : new AllGatherMeshOpbaseExecutor(), call)
                    .close();
        }
    },

    /** A post of rank 0 is lost, and rank 1 waits for another one. */
    LOST_POST {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, 2, DType.INT32, 100);
            try (CollectivePlan plan = CollectivePlan.of(comm, new LostPost(), call)) {
                plan.run(0, 1024);
            }
        }
    },

    /** Rank 1 is gone from one moment to the next. */
    DEATH {
        @Override
        void run(Communicator comm, Device device) {
            CollectiveCall call = CollectiveCall.of(Collective.ALL_REDUCE, comm.worldSize(), DType.INT32, 100);
            try (CollectivePlan plan = CollectivePlan.of(comm, new RingAllReduce(), call)) {
                plan.run(0, 1024);
                if (comm.rank() == 1) {
                    Runtime.getRuntime().halt(9);
                }
                plan.run(0, 1024);
            }
        }
    };

    abstract void run(Communicator comm, Device device);

    static void write(Device device, long address, int count, IntToDoubleFunction value) {
        ByteBuffer data = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.nativeOrder());
        for (int i = 0; i < count; i++) {
            data.putFloat((float) value.applyAsDouble(i));
        }
        device.copyIn(address, data.flip());
    }

    static void compare(Device device, long address, int count, IntToDoubleFunction expected) {
        ByteBuffer data = ByteBuffer.allocateDirect(count * Float.BYTES).order(ByteOrder.nativeOrder());
        device.copyOut(address, data);
        for (int i = 0; i < count; i++) {
            float found = data.getFloat(i * Float.BYTES);
            if (found != (float) expected.applyAsDouble(i)) {
                throw new AssertionError("[" + i + "] " + found + ", expected " + expected.applyAsDouble(i));
            }
        }
    }

    /** What a rank says when it has run a scenario. */
    static final String ENDED = "ended";

    /** Runs the scenarios that standard input names, each as one rank, whose output goes to a file. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) throws Exception {
            PrintStream parent = System.out;
            BlockingQueue<String> lines = new LinkedBlockingQueue<>();
            readFromParent(lines);
            while (true) {
                String[] words = lines.take().split("\t");
                try (PrintStream output = new PrintStream(words[5], StandardCharsets.UTF_8)) {
                    System.setOut(output);
                    run(words, output);
                }
                parent.println(ENDED);
            }
        }

        /** Prints the exception if there is one. */
        private static void run(String[] words, PrintStream output) {
            int rank = Integer.parseInt(words[1]);
            CommunicatorConfig config = new CommunicatorConfig(
                    rank,
                    Integer.parseInt(words[2]),
                    new Rendezvous.File(Path.of(words[3])),
                    1 << 16,
                    Duration.ofSeconds(30));
            try (Device device = Device.open(words[4], rank);
                    Communicator comm = Communicator.open(config, device)) {
                RankScenario.valueOf(words[0]).run(comm, device);
            } catch (CommException e) {
                output.println(e.error() + ": " + e.getMessage());
            } catch (Throwable e) {
                e.printStackTrace(output);
            }
        }

        /** Ends with the parent, also while a scenario runs. */
        private static void readFromParent(BlockingQueue<String> lines) {
            Thread reader = new Thread(() -> {
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))
                        .lines()
                        .forEach(lines::add);
                Runtime.getRuntime().halt(1);
            });
            reader.setDaemon(true);
            reader.start();
        }
    }
}
