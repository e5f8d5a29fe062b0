package org.rankunit.benchmarks.scale;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OneRun;

/** Many tests at once: 2,000 in 100 classes, at 2 ranks, and 1,050 that are no device tests. */
public final class ScaleSuite {

    private static final int CLASSES = 100;
    private static final double DISCOVERY_GOAL = 1;
    private static final double HEAP_GOAL = 256;

    private final int rounds;
    private final int pairs;
    private final Path output;

    public ScaleSuite(boolean quick, Path output) {
        this.rounds = quick ? 2 : 7;
        this.pairs = quick ? 6 : 20;
        this.output = output;
    }

    public List<Figure> run() throws IOException, InterruptedException, ClassNotFoundException {
        List<Class<?>> classes = classes();
        // The first run of a machine builds the archive of classes; measured is what every later one has.
        OneRun.of(classes.subList(0, 1), output, false);
        List<Figure> figures = new ArrayList<>();
        figures.add(discovery());
        figures.add(OrdinaryTests.added(pairs));
        long begin = System.nanoTime();
        OneRun run = OneRun.of(classes, output, false);
        double seconds = (System.nanoTime() - begin) / 1e9;
        figures.add(new Figure("2,000 tests in 100 classes, 2 ranks: all", seconds, "s", Double.NaN, null, null));
        figures.add(new Figure(
                "2,000 tests in 100 classes: a further test", run.medianMillisPerTest(), "ms", Double.NaN, null, null));
        figures.add(new Figure("2,000 tests: heap of the parent, peak", peakMib(), "MiB", HEAP_GOAL, null, null));
        System.gc();
        figures.add(new Figure("2,000 tests: heap of the parent, live after", liveMib(), "MiB", HEAP_GOAL, null, null));
        return figures;
    }

    static List<Class<?>> classes() throws ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        for (int i = 1; i <= CLASSES; i++) {
            classes.add(Class.forName("org.rankunit.benchmarks.Many" + i + "Case"));
        }
        return classes;
    }

    /** In fresh JVMs, as a build has it; with this engine and without it in turn. */
    private Figure discovery() throws IOException, InterruptedException {
        List<Double> with = new ArrayList<>();
        List<Double> without = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            with.add(discoverySeconds("with"));
            without.add(discoverySeconds("without"));
        }
        with.sort(null);
        without.sort(null);
        double ours = with.get(with.size() / 2);
        double jupiter = without.get(without.size() / 2);
        return new Figure(
                "discovery of 2,000 tests, added to Jupiter's",
                ours - jupiter,
                "s",
                DISCOVERY_GOAL,
                "Jupiter alone",
                jupiter);
    }

    private static double discoverySeconds(String how) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Discovery.class.getName(),
                        how)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (!process.waitFor(1, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("a JVM that only discovers failed: " + printed);
        }
        return Double.parseDouble(printed);
    }

    private static double peakMib() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getType() == MemoryType.HEAP)
                        .map(MemoryPoolMXBean::getPeakUsage)
                        .mapToLong(usage -> usage.getUsed())
                        .sum()
                / (double) (1 << 20);
    }

    private static double liveMib() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / (double) (1 << 20);
    }
}
