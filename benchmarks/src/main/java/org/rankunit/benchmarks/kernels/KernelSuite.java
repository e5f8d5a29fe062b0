package org.rankunit.benchmarks.kernels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OtherJvm;
import org.rankunit.benchmarks.measure.Quantile;

/** Kernels from source: what one costs that is in the cache, in a JVM that has just started, beside the compiler. */
public final class KernelSuite {

    private static final int KERNELS = 20;

    /** Milliseconds for each kernel, with all that its look-up takes. */
    private static final double GOAL = 5;

    /** Those of a JVM that runs tests, which has no options. */
    private static final List<String> COMPILERS = List.of("-XX:TieredStopAtLevel=4");

    private final int jvms;
    private final Path output;

    public KernelSuite(boolean quick, Path output) {
        this.jvms = quick ? 3 : 10;
        this.output = output;
    }

    public List<Figure> run() throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(output), "kernels");
        try {
            write(folder.resolve("kernels"));
            List<Double> compiled = times(folder, "compiled");
            List<Double> cached = new ArrayList<>();
            for (int i = 0; i < jvms; i++) {
                cached.addAll(times(folder, "cached"));
            }
            return List.of(
                    figure("mean", GOAL, mean(cached), mean(compiled)),
                    figure("p50", GOAL, Quantile.of(cached, 0.5), Quantile.of(compiled, 0.5)),
                    // The first ones of a JVM, which load classes.
                    figure("most", Double.NaN, Quantile.of(cached, 1), Quantile.of(compiled, 1)));
        } finally {
            delete(folder);
        }
    }

    private static Figure figure(String name, double goal, double cached, double compiled) {
        return new Figure("kernel from the cache, cold JVM, " + name, cached, "ms", goal, "compiled", compiled);
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    private static void write(Path kernels) throws IOException {
        Files.createDirectories(kernels.resolve("aiv"));
        for (int header = 0; header < 3; header++) {
            Files.writeString(
                    kernels.resolve("part" + header + ".h"),
                    "#pragma once\n" + "inline int part" + header + "(int x) { return x + " + header + "; }\n");
        }
        for (int i = 0; i < KERNELS; i++) {
            Files.writeString(kernels.resolve("aiv/kernel" + i + ".cpp"), """
                    #include <algorithm>
                    #include <vector>
                    #include <rankunit/kernel.h>
                    #include "../part0.h"
                    #include "../part1.h"
                    #include "../part2.h"
                    RANKUNIT_KERNEL int kernel%1$d(const uint64_t *args, int nargs) {
                        std::vector<uint64_t> sorted(args, args + nargs);
                        std::sort(sorted.begin(), sorted.end());
                        return part0(part1(part2(static_cast<int>(sorted.size())))) - %1$d;
                    }
                    """.formatted(i));
        }
    }

    /** The milliseconds of each kernel in a JVM of its own. */
    private static List<Double> times(Path folder, String expected) throws IOException {
        List<Double> times = new ArrayList<>();
        try (OtherJvm jvm = new OtherJvm(COMPILERS, KernelLookups.class, folder.toString())) {
            for (int i = 0; i < KERNELS; i++) {
                String line = jvm.hear();
                if (line == null || !line.startsWith(expected + " ")) {
                    throw new IllegalStateException("a kernel that is not " + expected + ": " + line);
                }
                times.add(Double.parseDouble(line.substring(expected.length() + 1)));
            }
        }
        return times;
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
