package org.rankunit.engine.report.summary;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.rankunit.engine.report.RunReport;

/**
 * The failed tests as workflow commands, which GitHub shows beside the lines of a change.
 *
 * <p>The form and its escapes are those of
 * <a href="https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions">Workflow commands for GitHub
 * Actions</a> and of {@code command.ts} in <a href="https://github.com/actions/toolkit/tree/main/packages/core">actions/toolkit</a>.
 */
public final class GitHubAnnotations {

    /** GitHub shows so many errors of a step, and drops the others ("Limitations" in problem-matchers.md of actions/toolkit). */
    static final int MAX = 10;

    private static final int CAUSE_LINES = 20;
    private static final int WIDTH = 200;

    private GitHubAnnotations() {}

    /**
     * Write one command for each failed test. If there are too many, the last one names those that are left.
     *
     * @param report folder of the report, in whose module the sources are looked for
     * @param root folder to which GitHub takes paths to be relative
     */
    public static List<String> lines(ReportSummary summary, Path report, Path root) {
        List<RunReport.TestEntry> failed = summary.failed();
        int single = failed.size() <= MAX ? failed.size() : MAX - 1;
        List<String> lines = new ArrayList<>();
        failed.subList(0, single).forEach(test -> lines.add(line(test, TestSource.of(test, report, root))));
        if (single < failed.size()) {
            List<RunReport.TestEntry> others = failed.subList(single, failed.size());
            String names = others.stream().map(ReportSummary::titleOf).collect(Collectors.joining("\n"));
            lines.add(command(
                    "title=" + property(others.size() + " more tests failed"),
                    String.join("\n", Excerpt.of(names, CAUSE_LINES, WIDTH))));
        }
        return lines;
    }

    private static String line(RunReport.TestEntry test, Optional<TestSource> source) {
        List<String> properties = new ArrayList<>();
        source.ifPresent(place -> {
            properties.add("file=" + property(place.file()));
            place.line().ifPresent(line -> properties.add("line=" + line));
        });
        properties.add("title=" + property(ReportSummary.titleOf(test)));
        List<String> cause = Excerpt.of(test.reason(), CAUSE_LINES, WIDTH);
        return command(String.join(",", properties), cause.isEmpty() ? "failed" : String.join("\n", cause));
    }

    private static String command(String properties, String message) {
        return "::error " + properties + "::" + data(message);
    }

    private static String data(String text) {
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
