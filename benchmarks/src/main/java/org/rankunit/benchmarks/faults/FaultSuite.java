package org.rankunit.benchmarks.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OneRun;
import org.rankunit.benchmarks.measure.Quantile;

/** When a rank goes wrong: how soon that is known, how soon others take its place, how soon all is gone. */
public final class FaultSuite {

    private static final double KNOWN_P50_GOAL = 10;
    private static final double KNOWN_P99_GOAL = 50;
    private static final double HEALED_OF_COLD = 1;
    private static final double GONE_GOAL = 1;
    private static final int TESTS = 10;
    private static final long GONE_DEADLINE = TimeUnit.SECONDS.toNanos(60);

    /** Each has some tests that fail, some whose rank is killed, and cold groups between them. */
    private final int rounds;

    private final int parents;
    private final Path output;

    public FaultSuite(boolean quick, Path output) {
        this.rounds = quick ? 2 : 10;
        this.parents = quick ? 2 : 10;
        this.output = output;
    }

    public List<Figure> run() throws IOException, InterruptedException, ClassNotFoundException {
        // The first run of a machine builds the archive of classes; measured is what every later one has.
        FaultRun.of(caseOf("Assertion"), 1, false, output);
        List<Figure> figures = new ArrayList<>(failures());
        List<Double> gone = new ArrayList<>();
        for (int i = 0; i < parents; i++) {
            gone.add(secondsUntilGone());
        }
        figures.add(new Figure(
                "SIGKILL of the parent until 4 ranks gone, max", Quantile.of(gone, 1), "s", GONE_GOAL, null, null));
        return figures;
    }

    private List<Figure> failures() throws IOException, ClassNotFoundException {
        Path reported = output.resolve("assertions");
        List<FaultRun> failing = new ArrayList<>();
        List<FaultRun> killed = new ArrayList<>();
        List<Double> heard = new ArrayList<>();
        List<Double> cold = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            cold.add(coldSeconds());
            failing.add(FaultRun.of(caseOf("Assertion"), TESTS, false, reported));
            heard.addAll(FaultRun.heardMillis(reported));
            cold.add(coldSeconds());
            killed.add(FaultRun.of(caseOf("Barrier"), TESTS, true, output));
        }
        List<Figure> figures = new ArrayList<>();
        known("an assertion until the parent knows", heard, KNOWN_P50_GOAL, figures);
        known(
                "an assertion until its peer is released",
                all(failing, FaultRun::releasedMillis),
                KNOWN_P50_GOAL,
                figures);
        known("an assertion until its result is told", all(failing, FaultRun::knownMillis), Double.NaN, figures);
        known("a SIGKILL until its peer is released", all(killed, FaultRun::releasedMillis), Double.NaN, figures);
        known("a SIGKILL until its result is told", all(killed, FaultRun::knownMillis), Double.NaN, figures);
        double coldMedian = Quantile.of(cold, 0.5);
        figures.add(healed("a new group of 2 after an assertion", all(failing, FaultRun::healedSeconds), coldMedian));
        figures.add(healed("a new group of 2 after a SIGKILL", all(killed, FaultRun::healedSeconds), coldMedian));
        return figures;
    }

    private static List<Double> all(List<FaultRun> runs, Function<FaultRun, List<Double>> measured) {
        return runs.stream().map(measured).flatMap(List::stream).toList();
    }

    /** What a group of 2 costs that follows no failure: from the lease to its first test. */
    private double coldSeconds() throws ClassNotFoundException {
        return OneRun.of(List.of(caseOf("Cold2")), output, false).coldSeconds();
    }

    private static void known(String name, List<Double> millis, double p50Goal, List<Figure> figures) {
        figures.add(new Figure(name + ", p50", Quantile.of(millis, 0.5), "ms", p50Goal, null, null));
        figures.add(new Figure(name + ", p99", Quantile.of(millis, 0.99), "ms", KNOWN_P99_GOAL, null, null));
    }

    /** The ratio counts: how long a group takes depends on the machine, and here others may be at work too. */
    private static Figure healed(String name, List<Double> seconds, double cold) {
        return Figure.ratio(name + ", p50", Quantile.of(seconds, 0.5), "s", HEALED_OF_COLD, "a cold group of 2", cold);
    }

    private double secondsUntilGone() throws IOException, InterruptedException {
        Process parent = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledParent.class.getName(),
                        output.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader printed =
                new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            String ranks = printed.readLine();
            if (ranks == null) {
                throw new IllegalStateException("a parent of ranks ended too early");
            }
            long begin = System.nanoTime();
            parent.destroyForcibly();
            for (String rank : ranks.split(" ", -1)) {
                awaitEnd(rank, begin + GONE_DEADLINE);
            }
            return (System.nanoTime() - begin) / 1e9;
        } finally {
            parent.destroyForcibly().waitFor();
        }
    }

    private static void awaitEnd(String pid, long deadline) {
        while (isAlive(pid)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("rank process " + pid + " outlives its parent");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** One that has ended may wait long for the foster parent that takes note of it. */
    private static boolean isAlive(String pid) {
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false;
        }
    }

    private static Class<?> caseOf(String name) throws ClassNotFoundException {
        return Class.forName("org.rankunit.benchmarks." + name + "Case");
    }
}
