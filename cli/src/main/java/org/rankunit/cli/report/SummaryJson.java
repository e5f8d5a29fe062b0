package org.rankunit.cli.report;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.protocol.wire.RecordCodec;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.summary.ReportSummary;

/**
 * A summary for programs. The names of the record components are the fields of the JSON object, which
 * {@code docs/command-line.md} describes.
 *
 * @param reruns the number of tests that passed only after they had failed
 * @param errors the files that could not be read, a sentence for each
 */
public record SummaryJson(
        int version, int passed, int failed, int skipped, int reruns, List<TestJson> tests, List<String> errors) {

    private static final int VERSION = 1;

    /**
     * The last attempt of one test.
     *
     * @param milliseconds how long it ran
     * @param nodes the node of each rank; left out if all ran on the machine of the run
     */
    public record TestJson(
            String uniqueId,
            String name,
            String platform,
            int ranks,
            List<Integer> devices,
            int attempt,
            String result,
            @Nullable String reason,
            double milliseconds,
            List<String> nodes) {

        private static TestJson of(RunReport.TestEntry test) {
            return new TestJson(
                    test.uniqueId(),
                    test.name(),
                    test.variant().platform(),
                    test.variant().ranks(),
                    test.devices(),
                    test.attempt(),
                    test.result(),
                    test.reason(),
                    test.milliseconds().run(),
                    test.nodes());
        }
    }

    /** Write a summary as one JSON object. */
    public static String write(ReportSummary summary, List<String> errors) throws IOException {
        return new RecordCodec(Map.of(), Map.of(TestJson.class, List.of("nodes")))
                .encodePretty(new SummaryJson(
                        VERSION,
                        summary.passed(),
                        summary.failed().size(),
                        summary.skipped(),
                        summary.reruns(),
                        summary.tests().stream().map(TestJson::of).toList(),
                        errors));
    }
}
