package org.rankunit.benchmarks.comm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.comm.Communicator;
import org.rankunit.comm.CommunicatorConfig;
import org.rankunit.comm.Rendezvous;
import org.rankunit.comm.WindowView;
import org.rankunit.device.Device;

/** One rank in a JVM of its own, without any test; does what it is told line by line, and answers with a line. */
final class CommRank {

    private static final int BATCH = 100;
    private static final long WINDOW = 64L << 20;

    private final int rank;
    private final int worldSize;
    private final Path folder;
    private final Device device;

    private CommRank(int rank, int worldSize, Path folder, Device device) {
        this.rank = rank;
        this.worldSize = worldSize;
        this.folder = folder;
        this.device = device;
    }

    /** Arguments: rank, number of ranks, folder for them to meet in. */
    public static void main(String[] args) throws IOException {
        int rank = Integer.parseInt(args[0]);
        try (Device device = Device.open("a2a3sim", rank)) {
            new CommRank(rank, Integer.parseInt(args[1]), Path.of(args[2]), device).serve();
        }
    }

    private void serve() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Communicator kept = open("kept", WINDOW)) {
            System.out.println("up");
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] words = line.split(" ", -1);
                int count = Integer.parseInt(words[1]);
                System.out.println(
                        switch (words[0]) {
                            case "barriers" -> text(barriers(kept, count));
                            case "bring-ups" -> text(bringUps(kept, count));
                            case "copies" -> text(copies(kept, count, Integer.parseInt(words[2])));
                            case "churn" -> churn(count);
                            default -> throw new IllegalArgumentException(line);
                        });
            }
        }
    }

    private Communicator open(String name, long windowBytes) {
        return Communicator.open(
                new CommunicatorConfig(
                        rank,
                        worldSize,
                        new Rendezvous.File(folder.resolve(name)),
                        windowBytes,
                        Duration.ofSeconds(60)),
                device);
    }

    /** Median of the mean time of a barrier in batches, in microseconds. */
    private static double barriers(Communicator kept, int batches) {
        List<Double> means = new ArrayList<>();
        for (int batch = -batches / 10 - 1; batch < batches; batch++) {
            long start = System.nanoTime();
            for (int i = 0; i < BATCH; i++) {
                kept.barrier();
            }
            if (batch >= 0) {
                means.add((System.nanoTime() - start) / 1e3 / BATCH);
            }
        }
        return Quantile.of(means, 0.5);
    }

    /** Median time of init, windows, barrier and destroy, in milliseconds, begun at the same moment on all ranks. */
    private double bringUps(Communicator kept, int count) {
        List<Double> times = new ArrayList<>();
        for (int i = -count / 4; i < count; i++) {
            kept.barrier();
            long start = System.nanoTime();
            try (Communicator comm = open("new", 0)) {
                comm.barrier();
            }
            if (i >= 0) {
                times.add((System.nanoTime() - start) / 1e6);
            }
        }
        return Quantile.of(times, 0.5);
    }

    /** Median time in which rank 0 copies the next rank's window to its own, in microseconds. */
    private double copies(Communicator kept, int count, int bytes) {
        kept.window(rank).slice(0, bytes).put(0, new byte[bytes]);
        kept.barrier();
        List<Double> times = new ArrayList<>();
        if (rank == 0) {
            WindowView source = kept.window(1).slice(0, bytes);
            WindowView target = kept.window(0).slice(0, bytes);
            for (int i = -count / 4; i < count; i++) {
                long start = System.nanoTime();
                source.copyTo(target);
                if (i >= 0) {
                    times.add((System.nanoTime() - start) / 1e3);
                }
            }
        }
        kept.barrier();
        return rank == 0 ? Quantile.of(times, 0.5) : 0;
    }

    /**
     * What many communicators leave behind after the first tenth: growth in KiB of the process, whose heap does not grow, and of what lives
     * on the heap, and of descriptors and mappings.
     */
    private String churn(int count) throws IOException {
        long memory = 0;
        long heap = 0;
        long descriptors = 0;
        long mappings = 0;
        for (int i = 0; i < count; i++) {
            if (i == count / 10) {
                heap = heapKib();
                memory = residentKib();
                descriptors = descriptors();
                mappings = mappings();
            }
            try (Communicator comm = open("new", 1 << 20)) {
                comm.barrier();
            }
        }
        heap = heapKib() - heap;
        return (residentKib() - memory) + " " + heap + " " + (descriptors() - descriptors) + " "
                + (mappings() - mappings);
    }

    private static long heapKib() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 10;
    }

    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    private static long mappings() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("memfd:rankunit"))
                .count();
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%.4f", value);
    }
}
