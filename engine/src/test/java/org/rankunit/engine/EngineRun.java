package org.rankunit.engine;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.engine.launch.command.ArchiveOfTests;

/** One run through a real Launcher, with all its engines, filters and listeners, and what came of it. */
final class EngineRun {

    private final ByteArrayOutputStream captured = new ByteArrayOutputStream();
    private final Listener listener = new Listener(captured);

    private EngineRun(LauncherDiscoveryRequest request) {
        this(request, true);
    }

    private EngineRun(LauncherDiscoveryRequest request, boolean capture) {
        if (!capture) {
            LauncherFactory.create().execute(request, listener);
            return;
        }
        ArchiveOfTests.prepare();
        Optional<RankStarts> starts = request.getConfigurationParameters()
                .get("rankunit.output-dir")
                .map(Path::of)
                .map(RankStarts::of);
        PrintStream usual = System.out;
        System.setOut(new PrintStream(captured, true, StandardCharsets.UTF_8));
        try {
            LauncherFactory.create().execute(request, listener);
        } finally {
            System.setOut(usual);
        }
        starts.ifPresent(RankStarts::add);
    }

    /** Run with everything RankUnit writes below {@code folder}. */
    static EngineRun of(Path folder, Map<String, String> parameters, Class<?>... types) {
        return new EngineRun(within(folder, parameters, classes(types)).build());
    }

    /** The same, and what is printed goes where the caller wants it. */
    static EngineRun printing(Path folder, Map<String, String> parameters, Class<?>... types) {
        return new EngineRun(within(folder, parameters, classes(types)).build(), false);
    }

    private static List<DiscoverySelector> classes(Class<?>... types) {
        return Arrays.stream(types)
                .map(type -> (DiscoverySelector) selectClass(type))
                .toList();
    }

    /** A request with everything that RankUnit writes below {@code folder}. */
    static LauncherDiscoveryRequestBuilder within(
            Path folder, Map<String, String> parameters, List<? extends DiscoverySelector> selectors) {
        return request(selectors)
                .configurationParameter(
                        "rankunit.pool-dir", folder.resolve("pool").toString())
                .configurationParameter(
                        "rankunit.output-dir", folder.resolve("out").toString())
                .configurationParameter("rankunit.durations", "none")
                .configurationParameters(parameters);
    }

    /** Run what a request of any kind asks for. */
    static EngineRun of(
            Path folder,
            Map<String, String> parameters,
            List<? extends DiscoverySelector> selectors,
            Filter<?>... filters) {
        return new EngineRun(
                within(folder, parameters, selectors).filters(filters).build());
    }

    /** Run without any parameter of ours, as far as the engines that the filters leave. */
    static EngineRun filtered(List<DiscoverySelector> selectors, Map<String, String> parameters, Filter<?>... filters) {
        return new EngineRun(request(selectors)
                .filters(filters)
                .configurationParameters(parameters)
                .build());
    }

    /** Discover alone. */
    static TestPlan discover(List<? extends DiscoverySelector> selectors, Filter<?>... filters) {
        return LauncherFactory.create()
                .discover(request(selectors).filters(filters).build());
    }

    private static LauncherDiscoveryRequestBuilder request(List<? extends DiscoverySelector> selectors) {
        return LauncherDiscoveryRequestBuilder.request().selectors(selectors);
    }

    /** All tests and containers of a plan below this engine, or below another. */
    static Stream<TestIdentifier> of(TestPlan plan, String engine) {
        return plan.getRoots().stream()
                .filter(root -> root.getUniqueId().equals("[engine:" + engine + "]"))
                .flatMap(root -> plan.getDescendants(root).stream());
    }

    String output() {
        return captured.toString(StandardCharsets.UTF_8);
    }

    /** What was printed between start and end of one test, which is what build tools take for its output. */
    String output(Class<?> type, String name) {
        return listener.printed.entrySet().stream()
                .filter(entry -> isOf(entry.getKey(), type)
                        && entry.getKey().getLegacyReportingName().equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has not run: " + listener.results));
    }

    /** The tests in the order of their results, as in {@code "Passing.a()"}. */
    List<String> order() {
        return listener.results.stream()
                .filter(result -> result.test.isTest())
                .map(result -> result.test.getUniqueId().replaceAll(".*[$.]([^\\]]+)\\]/.*", "$1") + "."
                        + result.test.getLegacyReportingName())
                .toList();
    }

    /** The results of tests in their order, as in {@code "SUCCESSFUL a()"}; skipped ones with their reason. */
    List<String> results(Class<?> type) {
        return listener.results.stream()
                .filter(result -> result.test.isTest() && isOf(result.test, type))
                .map(Result::line)
                .toList();
    }

    /** As {@link #results} for everything that is no test. */
    List<String> containers(Class<?> type) {
        return listener.results.stream()
                .filter(result -> !result.test.isTest() && isOf(result.test, type))
                .map(Result::line)
                .toList();
    }

    /** The display names of tests in the order of their results. */
    List<String> displayNames(Class<?> type) {
        return listener.results.stream()
                .filter(result -> result.test.isTest() && isOf(result.test, type))
                .map(result -> result.test.getDisplayName())
                .toList();
    }

    Throwable failure(Class<?> type, String name) {
        return listener.results.stream()
                .filter(result -> isOf(result.test, type)
                        && result.test.getLegacyReportingName().equals(name))
                .flatMap(result -> result.cause.stream())
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no throwable: " + listener.results));
    }

    String message(Class<?> type, String name) {
        return String.valueOf(failure(type, name).getMessage());
    }

    /** A message whose operations and places are the same in every run: {@code barrier #N (SomeTest.java:L)}. */
    static String withoutNumbers(String message) {
        return message.replaceAll("barrier #\\d+", "barrier #N").replaceAll("(\\w+\\.java):\\d+", "$1:L");
    }

    /** The messages of everything that failed, tests and containers. */
    List<String> messages() {
        return listener.results.stream()
                .flatMap(result -> result.cause.stream())
                .map(cause -> String.valueOf(cause.getMessage()))
                .toList();
    }

    /** When the first failure was known, as {@link System#nanoTime()}. */
    OptionalLong firstFailureNanos() {
        return listener.results.stream()
                .filter(result -> result.how.equals("FAILED"))
                .mapToLong(Result::nanos)
                .min();
    }

    List<String> reportEntries() {
        return listener.entries;
    }

    /** What was started and not finished, or finished twice, or finished without a start. */
    List<String> imbalance() {
        List<String> wrong = new ArrayList<>();
        listener.balance.forEach((id, open) -> {
            if (open != 0) {
                wrong.add(id + ": " + open);
            }
        });
        return wrong;
    }

    private static boolean isOf(TestIdentifier test, Class<?> type) {
        return test.getUniqueId().contains(":" + type.getName() + "]");
    }

    private record Result(TestIdentifier test, String how, Optional<Throwable> cause, long nanos) {

        Result(TestIdentifier test, String how, Optional<Throwable> cause) {
            this(test, how, cause, System.nanoTime());
        }

        String line() {
            return how + " " + test.getLegacyReportingName();
        }
    }

    private static final class Listener implements TestExecutionListener {

        private final List<Result> results = new ArrayList<>();
        private final List<String> entries = new ArrayList<>();
        private final Map<String, Integer> balance = new HashMap<>();
        private final Map<TestIdentifier, String> printed = new LinkedHashMap<>();
        private final ByteArrayOutputStream console;
        private int printedBefore;

        Listener(ByteArrayOutputStream console) {
            this.console = console;
        }

        @Override
        public void executionStarted(TestIdentifier test) {
            printedBefore = console.size();
            balance.merge(test.getUniqueId(), 1, Integer::sum);
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            results.add(new Result(test, "SKIPPED (" + reason + ")", Optional.empty()));
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            byte[] all = console.toByteArray();
            printed.put(test, new String(all, printedBefore, all.length - printedBefore, StandardCharsets.UTF_8));
            balance.merge(test.getUniqueId(), -1, Integer::sum);
            results.add(new Result(test, result.getStatus().name(), result.getThrowable()));
        }

        @Override
        public void reportingEntryPublished(
                TestIdentifier test, org.junit.platform.engine.reporting.ReportEntry entry) {
            entries.add(test.getLegacyReportingName() + " " + entry.getKeyValuePairs());
        }
    }
}
