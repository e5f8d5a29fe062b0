package org.rankunit.benchmarks.faults;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.RankContext;
import org.rankunit.comm.CommAbortedException;

/** Tests that all fail on rank 1 while rank 0 waits for it, and how long it took until that was told and healed. */
public final class FaultRun implements TestExecutionListener {

    private static final Pattern MOMENT = Pattern.compile("failed at (\\d+)");
    private static final Pattern RELEASE = Pattern.compile("released at (\\d+)");
    private static final Pattern HEARD =
            Pattern.compile("\"outcome\"\\s*:\\s*\"failed\",\\s*\"knownAfter\"\\s*:\\s*([0-9.]+)");
    private static final Pattern LOG = Pattern.compile("log of rank 1: (\\S+)-rank-1\\.log");

    private final boolean kill;
    private final List<Double> knownMillis = new ArrayList<>();
    private final List<Double> releasedMillis = new ArrayList<>();
    private final List<Double> healedSeconds = new ArrayList<>();
    private long killed;
    private @Nullable Long lastEnd;

    private FaultRun(boolean kill) {
        this.kill = kill;
    }

    /** What the tests of a generated class do: the moment of the failure travels in its message. */
    public static void assertion(RankContext rank) {
        if (rank.rank() == 1) {
            throw new AssertionError("failed at " + System.nanoTime());
        }
        waitForRelease(rank);
    }

    /** As {@link #assertion}, but another process ends rank 1. */
    public static void loneBarrier(RankContext rank) {
        if (rank.rank() == 1) {
            endless();
        }
        waitForRelease(rank);
    }

    /** The moment goes into the rank's log, since its message is that of the communicator. */
    private static void waitForRelease(RankContext rank) {
        try {
            rank.barrier();
        } catch (CommAbortedException e) {
            System.out.println("released at " + System.nanoTime());
            throw e;
        }
    }

    public static void endless() {
        new Semaphore(0).acquireUninterruptibly();
    }

    /**
     * Run some tests of a class.
     *
     * @param kill whether to kill rank 1 once all ranks are in a test
     */
    static FaultRun of(Class<?> type, int tests, boolean kill, Path output) {
        FaultRun run = new FaultRun(kill);
        List<DiscoverySelector> selectors = new ArrayList<>();
        Arrays.stream(type.getDeclaredMethods())
                .limit(tests)
                .forEach(method -> selectors.add(selectMethod(type, method)));
        // What the ranks print is for us, and what this JVM prints for the reader of the figures.
        PrintStream usual = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create()
                    .execute(
                            LauncherDiscoveryRequestBuilder.request()
                                    .selectors(tests == 0 ? List.of(selectClass(type)) : selectors)
                                    .configurationParameter("rankunit.output-dir", output.toString())
                                    .configurationParameter("rankunit.platform", "a2a3sim")
                                    .build(),
                            run);
        } finally {
            System.setOut(usual);
        }
        return run;
    }

    /** Of each test, from the fault until the parent had its result, for which all ranks must have completed it. */
    List<Double> knownMillis() {
        return knownMillis;
    }

    /** Of each test, from the failure on rank 1 until the parent had heard of it, as the report has it. */
    static List<Double> heardMillis(Path output) throws IOException {
        Matcher entry = HEARD.matcher(Files.readString(output.resolve("report.json")));
        return entry.results().map(found -> Double.valueOf(found.group(1))).toList();
    }

    /** Of each test, from the fault until rank 0 had left the barrier. */
    List<Double> releasedMillis() {
        return releasedMillis;
    }

    /** Of each test but the first, from the result of the one before until it ran on a new group. */
    List<Double> healedSeconds() {
        return healedSeconds;
    }

    /** The processes of the ranks that live now. */
    static List<ProcessHandle> ranks() {
        return ProcessHandle.current()
                .children()
                .filter(child -> child.info().arguments().map(Arrays::asList).orElse(List.of()).stream()
                        .anyMatch(argument -> argument.endsWith("RankMain")))
                .toList();
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (!test.isTest()) {
            return;
        }
        if (lastEnd != null) {
            healedSeconds.add((System.nanoTime() - lastEnd) / 1e9);
        }
        if (kill) {
            ProcessHandle rank1 =
                    ranks().stream().filter(FaultRun::isRank1).findFirst().orElseThrow();
            killed = System.nanoTime();
            rank1.destroyForcibly();
        }
    }

    private static boolean isRank1(ProcessHandle process) {
        List<String> arguments = process.info().arguments().map(Arrays::asList).orElse(List.of());
        return arguments.size() > 1 && arguments.get(arguments.size() - 2).equals("1");
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (!test.isTest()) {
            return;
        }
        long now = System.nanoTime();
        lastEnd = now;
        String message = result.getThrowable().map(Throwable::getMessage).orElse("");
        if (!message.contains("failed on rank 1\n") || !message.contains("rank 0 was released")) {
            throw new IllegalStateException("not what rank 1 did: " + message);
        }
        long fault = kill ? killed : number(MOMENT, message);
        Matcher log = LOG.matcher(message);
        if (!log.find()) {
            throw new IllegalStateException("no log is named: " + message);
        }
        knownMillis.add((now - fault) / 1e6);
        releasedMillis.add((number(RELEASE, lastOf(Path.of(log.group(1) + "-rank-0.log"))) - fault) / 1e6);
    }

    private static String lastOf(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long number(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        if (!found.find()) {
            throw new IllegalStateException("no '" + pattern + "' in: " + text);
        }
        return Long.parseLong(found.group(1));
    }
}
