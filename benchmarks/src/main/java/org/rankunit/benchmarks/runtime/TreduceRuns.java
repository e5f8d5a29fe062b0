package org.rankunit.benchmarks.runtime;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OneRun;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * A whole test with a task graph, on each runtime: its body, and what the parent sees of it, with and without the check for
 * races. The two are measured in turn, each in a group of its own.
 */
final class TreduceRuns {

    private static final List<String> RUNTIMES =
            List.of("host_build_graph", "aicpu_build_graph", "tensormap_and_ringbuffer");

    /** Milliseconds of a body. */
    private static final double BODY_GOAL = 10;

    private static final double CHECKED_OF_UNCHECKED = 1.4;

    private static final double BY_BYTE_OF_UNCHECKED = 8;

    /** The first ones of a group load classes and are compiled by the JVM, which keeps one of two cores busy for so long. */
    private static final int WARM_UP = 500;

    /** The first test of a group is another thing, and so are those while its JVMs load classes. */
    private static final int LOADING = 20;

    /** How many at the begin and at the end of a group are compared. */
    private static final int FEW = 20;

    private final int rounds;
    private final Path output;
    private final Path kernels;

    TreduceRuns(boolean quick, Path output, Path kernels) {
        this.rounds = quick ? 1 : 4;
        this.output = output;
        this.kernels = kernels;
    }

    /** All times in milliseconds. */
    private static final class Times {
        final List<Double> bodies = new ArrayList<>();
        final List<Double> tests = new ArrayList<>();
        final List<Double> firstTests = new ArrayList<>();
        final List<Double> lastTests = new ArrayList<>();
    }

    List<Figure> figures() throws IOException {
        // The first run compiles the kernels, and creates the archive of classes.
        measure(RUNTIMES.get(0), "ranges", new Times());
        List<Figure> figures = new ArrayList<>();
        for (String runtime : RUNTIMES) {
            figures.addAll(of(runtime));
        }
        return figures;
    }

    private List<Figure> of(String runtime) throws IOException {
        Times checked = new Times();
        Times byByte = new Times();
        Times unchecked = new Times();
        for (int round = 0; round < rounds; round++) {
            measure(runtime, "ranges", checked);
            measure(runtime, "bytes", byByte);
            measure(runtime, "off", unchecked);
        }
        String name = "S1 " + runtime + ", ";
        return List.of(
                median(name + "body", BODY_GOAL, checked.bodies, "unchecked", unchecked.bodies),
                ratio(name + "checked body", CHECKED_OF_UNCHECKED, checked.bodies, unchecked.bodies),
                ratio(name + "checked test", CHECKED_OF_UNCHECKED, checked.tests, unchecked.tests),
                ratio(name + "body checked by byte", BY_BYTE_OF_UNCHECKED, byByte.bodies, unchecked.bodies),
                ratio(name + "test checked by byte", BY_BYTE_OF_UNCHECKED, byByte.tests, unchecked.tests),
                median(name + "tests 21-40", Double.NaN, checked.firstTests, "unchecked", unchecked.firstTests),
                median(name + "tests 981-1000", Double.NaN, checked.lastTests, "unchecked", unchecked.lastTests));
    }

    private static Figure median(String name, double goal, List<Double> values, String peer, List<Double> others) {
        return new Figure(name, Quantile.of(values, 0.5), "ms", goal, peer, Quantile.of(others, 0.5))
                .spreadOf(values, others);
    }

    private static Figure ratio(String name, double goal, List<Double> values, List<Double> others) {
        double median = Quantile.of(values, 0.5);
        double theirs = Quantile.of(others, 0.5);
        return Figure.ratio(name, median, "ms", goal, "unchecked", theirs).spreadOf(values, others);
    }

    private void measure(String runtime, String check, Times times) throws IOException {
        Path file = Files.createTempFile(output, "treduce", ".times");
        // What the engine prints is for us: a test that was not checked must not count as one that was.
        PrintStream usual = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        OneRun run;
        List<Double> bodies;
        try {
            run = OneRun.of(
                    List.of(TreduceCase.class),
                    output,
                    false,
                    Map.of(
                            "rankunit.runtime",
                            runtime,
                            "rankunit.sim.check",
                            check,
                            "rankunit.kernel-sources",
                            kernels.toString(),
                            "rankunit.param.times",
                            file.toString()));
            bodies = Files.readAllLines(file).stream().map(Double::valueOf).toList();
        } finally {
            System.setOut(usual);
            Files.delete(file);
        }
        String text = printed.toString(StandardCharsets.UTF_8);
        if (text.contains("not checked") || bodies.size() != TreduceCase.TESTS) {
            throw new IllegalStateException(bodies.size() + " tests were measured: " + text);
        }
        // The list has one time less, since the first test has none before it.
        List<Double> tests = run.millisPerTest();
        times.bodies.addAll(bodies.subList(WARM_UP, bodies.size()));
        times.tests.addAll(tests.subList(WARM_UP - 1, tests.size()));
        times.firstTests.addAll(tests.subList(LOADING - 1, LOADING - 1 + FEW));
        times.lastTests.addAll(tests.subList(tests.size() - FEW, tests.size()));
    }
}
