package org.rankunit.engine.report.html;

import java.util.List;
import org.rankunit.engine.report.RunReport;

/** How much of a report the page shows. From the most to the least. */
enum Detail {

    /** Everything. */
    ALL("") {
        @Override
        RunReport of(RunReport report) {
            return report;
        }
    },

    /** Of ranks on which a test passed, neither goldens nor when its phases were. */
    FAILURES("Goldens and phases of tests that passed") {
        @Override
        RunReport of(RunReport report) {
            return with(
                    report,
                    report.tests().stream()
                            .map(test -> passed(test)
                                    ? with(
                                            test,
                                            test.ranks().stream()
                                                    .map(rank -> shortened(rank, 0))
                                                    .toList())
                                    : test)
                            .toList(),
                    report.pictures());
        }
    },

    /** Only the ranks of some tests that did not pass, and of each only some goldens; no pictures of collectives. */
    FIRST_FAILURES("Ranks of all tests but the first 50 that did not pass, and pictures of collectives") {
        @Override
        RunReport of(RunReport report) {
            List<RunReport.TestEntry> shown = report.tests().stream()
                    .filter(test -> !passed(test))
                    .limit(MAX_TESTS)
                    .toList();
            return with(
                    report,
                    report.tests().stream()
                            .map(test -> with(
                                    test,
                                    shown.contains(test)
                                            ? test.ranks().stream()
                                                    .map(rank -> shortened(rank, MAX_GOLDENS))
                                                    .toList()
                                            : List.of()))
                            .toList(),
                    List.of());
        }
    };

    private static final int MAX_TESTS = 50;
    private static final int MAX_GOLDENS = 4;

    private final String leftOut;

    Detail(String leftOut) {
        this.leftOut = leftOut;
    }

    /** What is left out, for readers of the page; empty for nothing. */
    String leftOut() {
        return leftOut;
    }

    /** Leave out of a report what is beyond this. */
    abstract RunReport of(RunReport report);

    private static boolean passed(RunReport.TestEntry test) {
        return test.result().equals("passed");
    }

    private static RunReport with(RunReport report, List<RunReport.TestEntry> tests, List<RunReport.Picture> pictures) {
        return new RunReport(
                report.schemaVersion(),
                report.version(),
                report.run(),
                report.platform(),
                report.java(),
                report.written(),
                report.executions(),
                tests,
                pictures);
    }

    private static RunReport.TestEntry with(RunReport.TestEntry test, List<RunReport.RankEntry> ranks) {
        return new RunReport.TestEntry(
                test.uniqueId(),
                test.name(),
                test.displayName(),
                test.attempt(),
                test.execution(),
                test.variant(),
                test.devices(),
                test.group(),
                test.start(),
                test.result(),
                test.reason(),
                test.hang(),
                test.retry(),
                test.timeline(),
                test.rounds(),
                test.collectives(),
                test.bandwidth(),
                test.milliseconds(),
                ranks,
                test.nodes());
    }

    private static RunReport.RankEntry shortened(RunReport.RankEntry rank, int goldens) {
        return new RunReport.RankEntry(
                rank.rank(),
                rank.device(),
                rank.outcome(),
                rank.knownAfter(),
                rank.message(),
                rank.log(),
                rank.goldens().stream().limit(goldens).toList(),
                rank.leftOut(),
                rank.failedIn(),
                goldens == 0 ? List.of() : rank.phases(),
                List.of(),
                rank.end(),
                goldens == 0 ? List.of() : rank.spans(),
                rank.stack(),
                rank.output(),
                rank.node());
    }
}
