package org.rankunit.benchmarks.coll;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rankunit.DType;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.mesh.MeshAllGather;
import org.rankunit.collective.algorithms.mesh.MeshAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.run.CollectivePlan;
import org.rankunit.collective.select.HcclAlgo;
import org.rankunit.collective.select.Interconnect;
import org.rankunit.collective.select.Rules;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.device.Device;

/** One rank in a JVM of its own, which runs the collectives that it is told line by line and answers with their median time. */
final class CollRank {

    /** Where the output begins in each window; the input is at its begin. */
    private static final long OUTPUT = 64L << 20;

    /** As much as HCCL takes if it is not told otherwise. */
    private static final long CCL_BYTES = 200L << 20;

    /** How many calls a JVM needs to compile the code of a call. With large data, that code takes a negligible part of the time. */
    private static final int UNTIL_COMPILED = 500;

    /** Bytes of all parts. */
    private static final long SMALL = 1 << 20;

    private CollRank() {}

    /** Arguments: rank, number of ranks, folder for them to meet in. */
    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(args[0]);
        CommunicatorConfig config = new CommunicatorConfig(
                rank,
                Integer.parseInt(args[1]),
                new Rendezvous.File(Path.of(args[2]).resolve("root")),
                2 * OUTPUT,
                Duration.ofSeconds(60));
        try (Device device = Device.open("a2a3sim", rank);
                Communicator comm = Communicator.open(config, device)) {
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            System.out.println("up");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ", -1);
                System.out.println(String.format(
                        Locale.ROOT,
                        "%.4f",
                        median(
                                comm,
                                device,
                                words[0],
                                DType.valueOf(words[1]),
                                Long.parseLong(words[2]),
                                Integer.parseInt(words[3]),
                                words[4].equals("copied"))));
            }
        }
    }

    /** Of a collective whose output has so many bytes, in microseconds; with "copied", inputs and outputs are in no window. */
    private static double median(
            Communicator comm, Device device, String collective, DType type, long bytes, int runs, boolean copied) {
        boolean reduces = collective.equals("all-reduce");
        int ranks = comm.worldSize();
        long count = bytes / type.byteSize();
        CollectiveCall call = CollectiveCall.of(
                reduces ? Collective.ALL_REDUCE : Collective.ALL_GATHER, ranks, type, reduces ? count : count / ranks);
        if (copied) {
            CollectiveCall single = call.withMemory(MemoryMode.SINGLE_OPERATOR, CCL_BYTES);
            long input = device.allocate(bytes);
            long output = device.allocate(bytes);
            device.zero(input, bytes);
            return median(comm, chosen(single), single, input, output, runs);
        }
        comm.window(comm.rank()).slice(0, bytes).put(0, new byte[Math.toIntExact(bytes)]);
        return median(comm, reduces ? new MeshAllReduce() : new MeshAllGather(), call, 0, OUTPUT, runs);
    }

    private static CollectiveAlgorithm chosen(CollectiveCall call) {
        return new Rules(Interconnect.MESH, HcclAlgo.none())
                .select(call)
                .orElseThrow(() -> new IllegalArgumentException("there is no algorithm for " + call))
                .algorithm();
    }

    private static double median(
            Communicator comm, CollectiveAlgorithm algorithm, CollectiveCall call, long input, long output, int runs) {
        List<Double> times = new ArrayList<>();
        try (CollectivePlan plan = CollectivePlan.of(comm, algorithm, call)) {
            boolean small = call.partOf(call.ranks() - 1).end() <= SMALL;
            int warmUp = Math.max(runs / 10 + 2, small ? UNTIL_COMPILED : 0);
            for (int i = -warmUp; i < runs; i++) {
                long start = System.nanoTime();
                plan.run(input, output);
                if (i >= 0) {
                    times.add((System.nanoTime() - start) / 1e3);
                }
            }
            comm.barrier();
        }
        return Quantile.of(times, 0.5);
    }
}
