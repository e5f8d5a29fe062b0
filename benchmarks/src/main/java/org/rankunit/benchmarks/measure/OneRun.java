package org.rankunit.benchmarks.measure;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.lock.OwnerRecord;

/** One run of some classes by the engine, and when their tests started and ended. */
public final class OneRun implements TestExecutionListener {

    private final List<Long> ends = new ArrayList<>();
    private final List<Long> pssKib = new ArrayList<>();
    private final boolean measureMemory;

    /** Whether its devices are those of the machine's pool. */
    private final boolean leasesDevices;

    private @Nullable Duration cold;

    private OneRun(boolean measureMemory, boolean leasesDevices) {
        this.measureMemory = measureMemory;
        this.leasesDevices = leasesDevices;
    }

    public static OneRun of(List<Class<?>> types, Path output, boolean measureMemory) {
        return of(types, output, measureMemory, Map.of());
    }

    /** With settings besides those that all runs have. */
    public static OneRun of(List<Class<?>> types, Path output, boolean measureMemory, Map<String, String> settings) {
        OneRun run = new OneRun(measureMemory, !settings.containsKey("rankunit.slurm.allocate"));
        execute(types, output, settings, run);
        return run;
    }

    /** Another listener hears the results, which may be failures. */
    public static TestExecutionListener of(
            List<Class<?>> types, Path output, Map<String, String> settings, TestExecutionListener listener) {
        execute(types, output, settings, listener);
        return listener;
    }

    private static void execute(
            List<Class<?>> types, Path output, Map<String, String> settings, TestExecutionListener listener) {
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(types.stream()
                                        .map(type -> selectClass(type))
                                        .toList())
                                .configurationParameter("rankunit.output-dir", output.toString())
                                .configurationParameter("rankunit.platform", "a2a3sim")
                                .configurationParameters(settings)
                                .build(),
                        listener);
    }

    /** Seconds from the lease until all ranks were about to run the first test. */
    public double coldSeconds() {
        if (cold == null) {
            throw new IllegalStateException("no test was started");
        }
        return cold.toNanos() / 1e9;
    }

    /** Median time from the end of one test to the end of the next: what a further test costs. */
    public double medianMillisPerTest() {
        List<Double> times = new ArrayList<>(millisPerTest());
        times.sort(null);
        return times.get(times.size() / 2);
    }

    /** Time of each test but the first, from the end of the one before to its own. */
    public List<Double> millisPerTest() {
        List<Double> times = new ArrayList<>();
        for (int i = 1; i < ends.size(); i++) {
            times.add((ends.get(i) - ends.get(i - 1)) / 1e6);
        }
        return times;
    }

    /** Largest proportional set size of any rank at the end of any test, in MiB. */
    public double maxPssMib() {
        return pssKib.stream().mapToLong(Long::longValue).max().orElse(0) / 1024.0;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest() && cold == null && leasesDevices) {
            cold = Duration.between(leasedAt(), Instant.now());
        }
    }

    /** When the devices of this process were leased, as its pool tells every process of the machine. */
    private static Instant leasedAt() {
        long self = ProcessHandle.current().pid();
        return DevicePool.open(PoolConfig.defaults()).status("a2a3sim").stream()
                .flatMap(device -> device.owner().stream())
                .filter(owner -> owner.pid() == self)
                .map(OwnerRecord::since)
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
            throw new IllegalStateException(
                    test.getDisplayName() + " did not pass",
                    result.getThrowable().orElse(null));
        }
        if (test.isTest()) {
            ends.add(System.nanoTime());
            if (measureMemory) {
                measureRanks();
            }
        }
    }

    private void measureRanks() {
        ProcessHandle.current()
                .children()
                .filter(p -> p.info().commandLine().orElse("").contains("RankMain"))
                .forEach(p -> pssKib.add(pssKibOf(p.pid())));
    }

    private static long pssKibOf(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "smaps_rollup"))) {
            return lines.filter(line -> line.startsWith("Pss:"))
                    .map(line -> line.replaceAll("\\D", ""))
                    .mapToLong(Long::parseLong)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read the memory of rank process " + pid, e);
        }
    }
}
