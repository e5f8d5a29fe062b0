package org.rankunit.benchmarks.slurm;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.rankunit.RankContext;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OneRun;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * What steps of Slurm cost beside processes of this machine: until a group works, for each further test, until a lost node is
 * noticed, and how busy the devices of four nodes are. Its ranks have no communicator, since those of a simulator share a node if
 * they have one.
 *
 * <p>{@code run.sh} starts the cluster, in which {@code SLURM_CONF} and {@code CUT} are set.
 */
public final class SlurmSuite {

    private static final double COLD_EXTRA_GOAL = 0.3;
    private static final double FURTHER_OF_LOCAL = 2;
    private static final double LOST_GOAL = 2;
    private static final double BUSY_GOAL = 0.8;

    /** Of a test that keeps devices busy. */
    private static final long WORK_NANOS = 300_000_000;

    private static final int BUSY_CLASSES = 50;
    private static final int TESTS_OF_CLASS = 4;

    /** Ranks that four nodes with two processors each run at the same time. */
    private static final int SLOTS = 8;

    private static final Pattern GROUP = Pattern.compile("\"leased\"\\s*:\\s*([0-9.]+),\\s*\"up\"\\s*:\\s*([0-9.]+)");

    private final int rounds;
    private final Path output;

    public SlurmSuite(boolean quick, Path output) {
        this.rounds = quick ? 3 : 10;
        this.output = output;
    }

    /** What a test of {@link #BUSY_CLASSES} does. */
    public static void work() {
        long end = System.nanoTime() + WORK_NANOS;
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    /** On the last rank it lasts until its node is cut off. */
    public static void endless(RankContext rank) throws IOException {
        if (rank.rank() < rank.worldSize() - 1) {
            return;
        }
        Files.writeString(Path.of(System.getProperty("slurm.notes"), "rank-" + rank.rank()), rank.node());
        new Semaphore(0).acquireUninterruptibly();
    }

    public List<Figure> run() throws Exception {
        // The first run of a machine builds the archive of classes; measured is what every later one has.
        local("Near");
        List<Double> localCold = new ArrayList<>();
        List<Double> farCold = new ArrayList<>();
        List<Double> localFurther = new ArrayList<>();
        List<Double> farFurther = new ArrayList<>();
        List<Double> copiedCold = new ArrayList<>();
        List<Double> copiedFurther = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            localFurther.add(local("Near").medianMillisPerTest());
            localCold.add(coldSeconds());
            farFurther.add(slurm("-N2 --ntasks-per-node=2", "Far").medianMillisPerTest());
            farCold.add(coldSeconds());
            copiedFurther.add(copied("-N2 --ntasks-per-node=2", "Far").medianMillisPerTest());
            copiedCold.add(coldSeconds());
        }
        // Before a node is cut off, which would be missing for a while.
        double busy = busyShare();
        List<Double> lost = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            lost.add(secondsUntilNodeIsNamed(round));
        }
        double cold = Quantile.of(farCold, 0.5);
        double near = Quantile.of(localCold, 0.5);
        return List.of(
                new Figure("a cold group on 2 nodes, p50", cold, "s", near + COLD_EXTRA_GOAL, "here", near)
                        .spreadOf(farCold, localCold),
                Figure.ratio(
                                "a further test on 2 nodes, p50",
                                Quantile.of(farFurther, 0.5),
                                "ms",
                                FURTHER_OF_LOCAL,
                                "here",
                                Quantile.of(localFurther, 0.5))
                        .spreadOf(farFurther, localFurther),
                new Figure(
                        "a cold group where files are copied, p50",
                        Quantile.of(copiedCold, 0.5),
                        "s",
                        Double.NaN,
                        "seen",
                        cold),
                new Figure(
                        "a further test where files are copied, p50",
                        Quantile.of(copiedFurther, 0.5),
                        "ms",
                        Double.NaN,
                        "seen",
                        Quantile.of(farFurther, 0.5)),
                new Figure(
                        "a lost node until its test has failed, p50",
                        Quantile.of(lost, 0.5),
                        "s",
                        LOST_GOAL,
                        null,
                        null),
                new Figure(
                        "a lost node until its test has failed, max", Quantile.of(lost, 1), "s", LOST_GOAL, null, null),
                new Figure("200 tests on 4 nodes, share of busy devices", busy, "", BUSY_GOAL, null, null).orMore());
    }

    private OneRun local(String name) throws ClassNotFoundException, IOException {
        return run(List.of(caseOf(name)), Map.of("rankunit.launcher", "local"));
    }

    private OneRun slurm(String allocate, String name) throws ClassNotFoundException, IOException {
        return run(List.of(caseOf(name)), Map.of("rankunit.slurm.allocate", allocate));
    }

    /** Where nodes do not see what this machine has. */
    private OneRun copied(String allocate, String name) throws ClassNotFoundException, IOException {
        return run(
                List.of(caseOf(name)),
                Map.of(
                        "rankunit.slurm.allocate",
                        allocate,
                        "rankunit.slurm.files",
                        "copied",
                        "rankunit.slurm.node-folder",
                        System.getenv("SLURM_CLUSTER_FOLDER") + "/own"));
    }

    /** A report has all runs that write into the same folder. */
    private OneRun run(List<Class<?>> types, Map<String, String> settings) throws IOException {
        Files.deleteIfExists(output.resolve("report.json"));
        return silently(() -> OneRun.of(types, output, false, settings));
    }

    /** What runs print is for people who run tests, not for the reader of the figures. */
    private static <T> T silently(Supplier<T> work) {
        PrintStream usual = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        try {
            return work.get();
        } finally {
            System.setOut(usual);
        }
    }

    /** Of the only group of the last run, from its lease until all its ranks were up. */
    private double coldSeconds() throws IOException {
        List<MatchResult> groups = GROUP.matcher(Files.readString(output.resolve("report.json")))
                .results()
                .toList();
        if (groups.size() != 1) {
            throw new IllegalStateException("the report has " + groups.size() + " groups, not 1");
        }
        return (Double.parseDouble(groups.get(0).group(2))
                        - Double.parseDouble(groups.get(0).group(1)))
                / 1000;
    }

    private double busyShare() throws ClassNotFoundException, IOException {
        List<Class<?>> classes = new ArrayList<>();
        for (int i : IntStream.rangeClosed(1, BUSY_CLASSES).toArray()) {
            classes.add(caseOf("Busy" + i));
        }
        long begin = System.nanoTime();
        run(classes, Map.of("rankunit.slurm.allocate", "-N4 --ntasks-per-node=2"));
        double ranks = 2.0 * BUSY_CLASSES * TESTS_OF_CLASS;
        return ranks * WORK_NANOS / ((double) SLOTS * (System.nanoTime() - begin));
    }

    /** Cut off the node of the last rank, and wait until the result of its test is told. */
    private double secondsUntilNodeIsNamed(int round) throws Exception {
        Path notes = Files.createDirectories(output.resolve("notes-" + round));
        try (Stream<Path> old = Files.list(notes)) {
            for (Path each : old.toList()) {
                Files.delete(each);
            }
        }
        System.setProperty("slurm.notes", notes.toString());
        long[] cut = new long[1];
        String[] node = new String[1];
        Thread cutter = new Thread(() -> {
            Path last = notes.resolve("rank-1");
            while (!Files.exists(last) || last.toFile().length() == 0) {
                LockSupport.parkNanos(1_000_000);
            }
            try {
                node[0] = Files.readString(last);
                network("cut", node[0]);
                cut[0] = System.nanoTime();
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException("cannot cut off a node", e);
            }
        });
        cutter.start();
        long[] told = new long[1];
        StringBuilder message = new StringBuilder();
        silently(() -> OneRun.of(
                List.of(endless()),
                output,
                Map.of(
                        "rankunit.slurm.allocate",
                        "-N2 --ntasks-per-node=1",
                        "rankunit.jvm-args",
                        "-Dslurm.notes=" + notes),
                new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        if (test.isTest()) {
                            told[0] = System.nanoTime();
                            result.getThrowable().ifPresent(failure -> message.append(failure.getMessage()));
                        }
                    }
                }));
        cutter.join();
        network("heal", node[0]);
        if (!message.toString().contains("was lost with its node: " + node[0])) {
            throw new IllegalStateException("the test does not say that its node was lost: " + message);
        }
        return (told[0] - cut[0]) / 1e9;
    }

    private static Class<?> endless() {
        try {
            return caseOf("Endless");
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Outside of the namespace in which this process runs. */
    private static void network(String what, String node) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(System.getenv("SLURM_CLUSTER_SCRIPT").split(" ")));
        command.addAll(List.of(what, System.getenv("SLURM_CLUSTER_FOLDER"), node));
        int exit = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IOException(String.join(" ", command) + " failed with exit code " + exit);
        }
    }

    private static Class<?> caseOf(String name) throws ClassNotFoundException {
        return Class.forName("org.rankunit.benchmarks.Slurm" + name + "Case");
    }
}
