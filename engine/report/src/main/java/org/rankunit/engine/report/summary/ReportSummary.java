package org.rankunit.engine.report.summary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.report.RunReport;

/**
 * The results of a report, each test once: its last attempt counts.
 *
 * @param tests the last attempt of each test, in the order of the report
 * @param reruns the number of tests that passed only after they had failed
 */
public record ReportSummary(List<RunReport.TestEntry> tests, int reruns) {

    private static final String PASSED = "passed";
    private static final String FAILED = "failed";
    private static final String SKIPPED = "skipped";

    public ReportSummary {
        tests = List.copyOf(tests);
    }

    /** Summarize the entries of a report, in which the attempts of a test follow each other in time. */
    public static ReportSummary of(List<RunReport.TestEntry> entries) {
        Map<String, List<RunReport.TestEntry>> attempts = new LinkedHashMap<>();
        entries.forEach(entry -> attempts.computeIfAbsent(entry.uniqueId(), id -> new ArrayList<>())
                .add(entry));
        List<RunReport.TestEntry> last =
                attempts.values().stream().map(all -> all.get(all.size() - 1)).toList();
        long reruns = attempts.values().stream()
                .filter(all -> all.get(all.size() - 1).result().equals(PASSED)
                        && all.stream().anyMatch(each -> each.result().equals(FAILED)))
                .count();
        return new ReportSummary(last, (int) reruns);
    }

    /** The tests that failed. */
    public List<RunReport.TestEntry> failed() {
        return tests.stream().filter(test -> test.result().equals(FAILED)).toList();
    }

    public int passed() {
        return (int) tests.stream().filter(test -> test.result().equals(PASSED)).count();
    }

    /** The number of tests that did not run, or were ended by an assumption, as build tools count them. */
    public int skipped() {
        return tests.size() - failed().size() - passed();
    }

    /** The tests that ran for longest, the longest first. */
    public List<RunReport.TestEntry> slowest(int most) {
        return tests.stream()
                .filter(test ->
                        !test.result().equals(SKIPPED) && test.milliseconds().run() > 0)
                .sorted(Comparator.comparingDouble((RunReport.TestEntry test) ->
                                test.milliseconds().run())
                        .reversed())
                .limit(most)
                .toList();
    }

    /** The devices on which tests ran, by platform. */
    public SortedMap<String, SortedSet<DeviceRef>> devices() {
        SortedMap<String, SortedSet<DeviceRef>> devices = new TreeMap<>();
        for (RunReport.TestEntry test : tests) {
            if (!test.devices().isEmpty()) {
                devices.computeIfAbsent(test.variant().platform(), platform -> new TreeSet<>())
                        .addAll(test.places());
            }
        }
        return devices;
    }

    /** Name a test and its variant: {@code "TreduceTest.sums [4 ranks, a2a3sim]"}. A test that did not run has no platform. */
    public static String titleOf(RunReport.TestEntry test) {
        int ranks = test.variant().ranks();
        String platform = test.variant().platform();
        return test.name() + " [" + ranks + (ranks == 1 ? " rank" : " ranks")
                + (platform.equals("none") ? "" : ", " + platform) + "]";
    }

    /** The counts in the words of Maven. */
    public String counts() {
        return "Tests run: " + tests.size() + ", Failures: " + failed().size() + ", Skipped: " + skipped()
                + (reruns == 0 ? "" : ", Passed after a rerun: " + reruns);
    }
}
