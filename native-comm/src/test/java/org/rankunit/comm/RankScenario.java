package org.rankunit.comm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import org.rankunit.device.Device;

/** What the ranks of {@link CommunicatorRanksTest} do; each prints what it has found. */
enum RankScenario {

    /** Each rank writes its number plus 100 in its window; all read all. */
    EXCHANGE {
        @Override
        void run(CommunicatorConfig config, Device device) {
            try (Communicator comm = Communicator.open(config, device)) {
                writeInt(device, comm.windowBase(), 100 + config.rank());
                comm.barrier();
                StringBuilder seen = new StringBuilder();
                for (int rank = 0; rank < comm.worldSize(); rank++) {
                    seen.append(readInt(device, windowOf(device, comm, rank))).append(' ');
                }
                comm.barrier();
                System.out.println(seen);
            }
        }
    },

    /** Rank 0 waits in a barrier that rank 1 aborts. */
    ABORT {
        @Override
        void run(CommunicatorConfig config, Device device) {
            try (Communicator comm = Communicator.open(config, device)) {
                comm.barrier();
                if (config.rank() == 1) {
                    comm.abort(1, "golden differs");
                }
                comm.barrier();
            }
        }
    },

    /** Rank 1 is gone from one moment to the next. */
    DEATH {
        @Override
        void run(CommunicatorConfig config, Device device) {
            try (Communicator comm = Communicator.open(config, device)) {
                comm.barrier();
                if (config.rank() == 1) {
                    Runtime.getRuntime().halt(9);
                }
                comm.barrier();
            }
        }
    },

    /** Rank 1 closes its communicator, rank 0 waits for it. */
    LEAVE {
        @Override
        void run(CommunicatorConfig config, Device device) {
            try (Communicator comm = Communicator.open(config, device)) {
                if (config.rank() == 0) {
                    comm.barrier();
                }
            }
        }
    },

    /** Rank 1 does not come to the barrier before rank 0 gives up. */
    LATE {
        @Override
        void run(CommunicatorConfig config, Device device) {
            try (Communicator comm = Communicator.open(config, device)) {
                if (config.rank() == 0) {
                    try {
                        comm.barrier(Duration.ofMillis(150));
                    } finally {
                        writeInt(device, windowOf(device, comm, 1), 1);
                    }
                }
                awaitOne(device, comm.windowBase());
                comm.barrier();
            }
        }
    },

    /** The ranks disagree on the size of their windows. */
    MISMATCH {
        @Override
        void run(CommunicatorConfig config, Device device) {
            Communicator.open(
                            new CommunicatorConfig(
                                    config.rank(),
                                    config.worldSize(),
                                    config.rendezvous(),
                                    4096L << config.rank(),
                                    config.timeout()),
                            device)
                    .close();
        }
    },

    /** Runs each of the vendor's collectives on int64 and prints the outputs. */
    VENDOR {
        @Override
        void run(CommunicatorConfig config, Device device) {
            long send = device.allocate(4 * Long.BYTES);
            long recv = device.allocate(4 * Long.BYTES);
            try (Communicator comm = Communicator.open(config, device)) {
                VendorCollectives vendor = comm.vendorCollectives();
                writeLong(device, send, comm.rank() + 1L);
                writeLong(device, send + Long.BYTES, 10L * (comm.rank() + 1));
                StringBuilder seen = new StringBuilder();
                vendor.allReduce(send, recv, 1, INT64, MAX);
                seen.append(readLong(device, recv)).append(' ');
                vendor.reduceScatter(send, recv, 1, INT64, SUM);
                seen.append(readLong(device, recv)).append(' ');
                vendor.allGather(send, recv, 2, INT64);
                for (int i = 0; i < 4; i++) {
                    seen.append(readLong(device, recv + (long) i * Long.BYTES)).append(' ');
                }
                vendor.broadcast(recv, 2, INT64, 1);
                if (comm.rank() == 0) {
                    vendor.send(send, 1, INT64, 1);
                } else {
                    vendor.receive(send, 1, INT64, 0);
                }
                seen.append(readLong(device, send)).append('\n');
                comm.recorder()
                        .operations()
                        .forEach(o -> seen.append(o.number())
                                .append(o.peers())
                                .append(o.state())
                                .append(' '));
                System.out.println(seen);
            }
        }
    },

    /** Measures barriers, on rank 0. */
    LATENCY {
        @Override
        void run(CommunicatorConfig config, Device device) {
            int rounds = 100_000 / config.worldSize();
            try (Communicator comm = Communicator.open(config, device)) {
                for (int i = 0; i < rounds; i++) {
                    comm.barrier();
                }
                long start = System.nanoTime();
                for (int i = 0; i < rounds; i++) {
                    comm.barrier();
                }
                System.out.printf("%.2f us%n", (System.nanoTime() - start) / 1e3 / rounds);
                comm.barrier();
            }
        }
    };

    /** System property: a library that is not the platform's own. */
    static final String LIBRARY = "rankunit.test.library";

    /** System property: the platform of the devices, if it is not a simulator. */
    static final String PLATFORM = "rankunit.test.platform";

    /** {@code CollType} and {@code CollReduction} in {@code coll.h}. */
    private static final int INT64 = 7;

    private static final int SUM = 0;
    private static final int MAX = 2;

    private static final int WINDOWS_IN = 32;

    abstract void run(CommunicatorConfig config, Device device);

    static CommunicatorConfig config(int rank, int worldSize, Path rootInfo) {
        return new CommunicatorConfig(rank, worldSize, new Rendezvous.File(rootInfo), 4096, Duration.ofSeconds(30));
    }

    static void writeInt(Device device, long address, int value) {
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .array();
        device.copyIn(address, bytes, 0, bytes.length);
    }

    static void writeLong(Device device, long address, long value) {
        byte[] bytes = ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.nativeOrder())
                .putLong(value)
                .array();
        device.copyIn(address, bytes, 0, bytes.length);
    }

    static int readInt(Device device, long address) {
        byte[] bytes = new byte[Integer.BYTES];
        device.copyOut(address, bytes, 0, bytes.length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    }

    static long readLong(Device device, long address) {
        byte[] bytes = new byte[Long.BYTES];
        device.copyOut(address, bytes, 0, bytes.length);
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getLong();
    }

    static long windowOf(Device device, Communicator comm, int rank) {
        return readLong(device, comm.deviceContext() + WINDOWS_IN + (long) rank * Long.BYTES);
    }

    private static void awaitOne(Device device, long address) {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (readInt(device, address) != 1) {
            if (System.nanoTime() > end) {
                throw new AssertionError("rank 0 has not given up in 30 s");
            }
            Thread.onSpinWait();
        }
    }

    /** Runs one scenario as one rank; prints the exception if there is one. */
    static final class Main {

        private Main() {}

        public static void main(String[] args) {
            if (System.getProperty(LIBRARY) == null) {
                // else it is mpirun that ends what it has started
                endWithParent();
            }
            CommunicatorConfig config = config(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Path.of(args[3]));
            try (Device device = Device.open(System.getProperty(PLATFORM, "a2a3sim"), config.rank())) {
                RankScenario.valueOf(args[0]).run(config, device);
            } catch (CommAbortedException e) {
                System.out.println(e.error() + " by " + e.failedRank() + ": " + e.getMessage());
            } catch (CommException e) {
                System.out.println(e.error() + ": " + e.getMessage());
            }
        }

        private static void endWithParent() {
            Thread watch = new Thread(() -> {
                try {
                    System.in.transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                    // the parent is gone as well
                }
                Runtime.getRuntime().halt(1);
            });
            watch.setDaemon(true);
            watch.start();
        }
    }
}
