package org.rankunit.benchmarks.scale;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * What the engine costs where there is nothing for it to do: 1,050 ordinary tests in a whole JVM, with the engine's jars on the
 * class path and without them in turn.
 */
final class OrdinaryTests {

    private static final int CLASSES = 21;
    private static final int TESTS = 1_050;
    private static final double GOAL_MILLIS = 50;

    private OrdinaryTests() {}

    /** Runs the tests once; knows nothing of the engine, which may be absent. */
    public static void main(String[] args) throws ClassNotFoundException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (int i = 1; i <= CLASSES; i++) {
            selectors.add(DiscoverySelectors.selectClass(Class.forName("org.rankunit.benchmarks.Plain" + i + "Case")));
        }
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectors)
                                .build(),
                        summary);
        if (summary.getSummary().getTestsSucceededCount() != TESTS) {
            throw new IllegalStateException(summary.getSummary().getTestsSucceededCount() + " tests passed");
        }
    }

    /** The median of what the engine added in each pair; who comes first changes from pair to pair. */
    static Figure added(int pairs) throws IOException, InterruptedException {
        String present = System.getProperty("java.class.path");
        String absent = without("rankunit-", present);
        List<Double> added = new ArrayList<>();
        List<Double> alone = new ArrayList<>();
        for (int pair = 0; pair < pairs; pair++) {
            boolean absentFirst = pair % 2 == 0;
            double first = millis(absentFirst ? absent : present);
            double second = millis(absentFirst ? present : absent);
            alone.add(absentFirst ? first : second);
            added.add(absentFirst ? second - first : first - second);
        }
        return new Figure(
                "1,050 ordinary tests, added by the engine",
                Quantile.of(added, 0.5),
                "ms",
                GOAL_MILLIS,
                "without the engine",
                Quantile.of(alone, 0.5));
    }

    private static String without(String prefix, String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .filter(entry -> !Path.of(entry).getFileName().toString().startsWith(prefix))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static double millis(String classPath) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath,
                        OrdinaryTests.class.getName())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(2, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("a JVM with ordinary tests failed");
        }
        return (System.nanoTime() - begin) / 1e6;
    }
}
