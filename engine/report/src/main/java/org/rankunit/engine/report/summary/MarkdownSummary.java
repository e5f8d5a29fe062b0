package org.rankunit.engine.report.summary;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.report.RunReport;

/**
 * The summary of reports in Markdown, as for a job's page on GitHub. Failed tests come first.
 *
 * <p>GitHub accepts 1 MiB for each step, and shows nothing of a longer text
 * (<a href="https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions">Workflow commands, "Step isolation
 * and limits"</a>). This text is at most {@value #MAX_BYTES} bytes long, so that a step can write several.
 */
public final class MarkdownSummary {

    static final int MAX_BYTES = 256 * 1024;

    private static final int CAUSE_LINES = 40;
    private static final int WIDTH = 400;
    private static final int SLOWEST = 10;

    private MarkdownSummary() {}

    /** Write the summary below a heading; the text ends with a line break. */
    public static String of(ReportSummary summary, String heading) {
        String foot = slowest(summary) + devices(summary);
        StringBuilder text = new StringBuilder()
                .append("### ")
                .append(escaped(heading))
                .append("\n\n| tests | passed | failed | skipped | passed after a rerun |\n|---|---|---|---|---|\n");
        text.append("| ")
                .append(summary.tests().size())
                .append(" | ")
                .append(summary.passed())
                .append(" | ")
                .append(summary.failed().size())
                .append(" | ")
                .append(summary.skipped())
                .append(" | ")
                .append(summary.reruns())
                .append(" |\n");
        int room = MAX_BYTES - bytes(text.toString()) - bytes(foot) - WIDTH;
        int left = summary.failed().size();
        for (RunReport.TestEntry test : summary.failed()) {
            String section = failure(test);
            room -= bytes(section);
            if (room < 0) {
                text.append("\nNot shown: ").append(left).append(" more failed tests.\n");
                break;
            }
            text.append(section);
            left--;
        }
        return text.append(foot).toString();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static String failure(RunReport.TestEntry test) {
        StringBuilder text = new StringBuilder("\n**")
                .append(escaped(ReportSummary.titleOf(test)))
                .append("** failed")
                .append(test.devices().isEmpty() ? "" : " on devices " + escaped(text(test.places())))
                .append("\n");
        // An indented block ends at no character that a cause may have.
        String cause = Excerpt.of(test.reason(), CAUSE_LINES, WIDTH).stream()
                .map(line -> "    " + line + "\n")
                .collect(Collectors.joining());
        return text.append(cause.isEmpty() ? "" : "\n" + cause).toString();
    }

    private static String slowest(ReportSummary summary) {
        String rows = summary.slowest(SLOWEST).stream()
                .map(test -> "| " + escaped(ReportSummary.titleOf(test)) + " | "
                        + String.format(Locale.ROOT, "%.2f", test.milliseconds().run() / 1000) + " |\n")
                .collect(Collectors.joining());
        return rows.isEmpty() ? "" : "\n| slowest tests | seconds |\n|---|---|\n" + rows;
    }

    private static String devices(ReportSummary summary) {
        List<String> used = new ArrayList<>();
        summary.devices().forEach((platform, devices) -> {
            Stream.of(true, false)
                    .map(here -> devices.stream()
                            .filter(device -> device.isHere() == here)
                            .toList())
                    .filter(some -> !some.isEmpty())
                    .forEach(some -> used.add(platform + " " + escaped(text(some))));
        });
        return used.isEmpty() ? "" : "\nDevices used: " + String.join("; ", used) + "\n";
    }

    /** Those of one machine in their order, those of nodes by node. */
    private static String text(List<DeviceRef> devices) {
        return devices.stream().allMatch(DeviceRef::isHere)
                ? devices.stream().map(device -> String.valueOf(device.id())).collect(Collectors.joining(", "))
                : DeviceRef.list(devices);
    }

    /** Keep characters of names from being read as markup, and a name on its line. */
    private static String escaped(String text) {
        return text.replaceAll("\\R", " ").replaceAll("([\\\\`*_{}\\[\\]<>#|~&])", "\\\\$1");
    }
}
