package org.rankunit.engine.report.summary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.rankunit.engine.report.RunReport;

/** The summary of reports for a console. */
public final class ConsoleSummary {

    private static final int CAUSE_LINES = 40;
    private static final int WIDTH = 400;

    private ConsoleSummary() {}

    /** Each test with its result, then why tests failed, then the counts. */
    public static List<String> lines(ReportSummary summary) {
        List<String> lines = new ArrayList<>();
        for (RunReport.TestEntry test : summary.tests()) {
            lines.add(String.format(Locale.ROOT, "  %-8s %s", resultOf(test), ReportSummary.titleOf(test))
                    + attemptOf(test));
        }
        for (RunReport.TestEntry test : summary.failed()) {
            lines.add("");
            lines.add("FAILED " + ReportSummary.titleOf(test));
            Excerpt.of(test.reason(), CAUSE_LINES, WIDTH).forEach(line -> lines.add("  " + line));
        }
        if (!summary.failed().isEmpty()) {
            lines.add("");
        }
        lines.add(summary.counts());
        return lines;
    }

    private static String resultOf(RunReport.TestEntry test) {
        return test.result().equals("failed") ? "FAILED" : test.result();
    }

    private static String attemptOf(RunReport.TestEntry test) {
        return test.attempt() > 1 ? " (attempt " + test.attempt() + ")" : "";
    }
}
