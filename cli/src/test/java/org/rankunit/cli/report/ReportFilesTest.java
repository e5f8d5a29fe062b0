package org.rankunit.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;
import static org.rankunit.engine.report.summary.Entries.onNodes;
import static org.rankunit.engine.report.summary.Entries.passed;
import static org.rankunit.engine.report.summary.Entries.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.engine.report.store.ReportMerge;
import org.rankunit.engine.report.summary.ConsoleSummary;
import org.rankunit.engine.report.summary.GitHubAnnotations;
import org.rankunit.engine.report.summary.MarkdownSummary;
import org.rankunit.engine.report.summary.ReportSummary;

/** Reports that something has damaged, or that are other files. */
@Tag("unit")
class ReportFilesTest {

    @TempDir
    Path folder;

    private String sample() throws IOException {
        Path file = folder.resolve("whole.json");
        new JsonReport()
                .write(
                        report(
                                "run",
                                "2026-11-23T10:00:00.000Z",
                                passed("RingTest", "sums", 10),
                                failed("RingTest", "copies", "copies failed at RingTest.java:7"),
                                onNodes(passed("RingTest", "moves", 10), List.of(0, 0), List.of("node1", "node2"))),
                        file);
        return Files.readString(file);
    }

    /** Either it is a report, and everything can be said of it, or there is one line that names the file. */
    private boolean isReadOrTold(byte[] bytes) throws IOException {
        Path file = Files.write(folder.resolve("report.json"), bytes);
        ReportFiles files = ReportFiles.read(List.of(file), List.of());
        if (files.parts().isEmpty()) {
            assertThat(files.errors())
                    .singleElement()
                    .satisfies(error ->
                            assertThat(error).startsWith(file.toString()).doesNotContain("\n"));
            return false;
        }
        RunReport report = ReportMerge.of(files.parts(), folder.resolve("merged"));
        ReportSummary summary = ReportSummary.of(report.tests());
        assertThat(ConsoleSummary.lines(summary)).isNotEmpty();
        assertThat(MarkdownSummary.of(summary, "Tests")).isNotEmpty();
        assertThat(GitHubAnnotations.lines(summary, folder, folder)).isNotNull();
        assertThat(SummaryJson.write(summary, files.errors())).isNotEmpty();
        return true;
    }

    @Test
    void aReportInAnotherEncodingIsRefused() throws IOException {
        byte[] latin =
                sample().replace("copies failed", "na\u00efve copies failed").getBytes(StandardCharsets.ISO_8859_1);

        assertThat(isReadOrTold(sample().getBytes(StandardCharsets.UTF_8))).isTrue();
        assertThat(isReadOrTold(latin)).isFalse();
        assertThat(isReadOrTold(new byte[100])).isFalse();
        assertThat(isReadOrTold("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
                .isFalse();
    }

    @Test
    void eachValueThatIsReplacedIsReadOrTold() throws IOException {
        String whole = sample();
        List<MatchResult> values = Pattern.compile(": (\"[^\"]*\"|-?[0-9.]+|null|\\[ ?\\]|true)")
                .matcher(whole)
                .results()
                .toList();
        List<String> others = List.of("null", "-1", "99999999999999999999", "\"\"", "\"\\u0000\"", "[]", "{}", "1e999");
        int read = 0;
        int told = 0;
        for (MatchResult value : values) {
            for (String other : others) {
                String damaged = whole.substring(0, value.start(1)) + other + whole.substring(value.end(1));
                boolean isRead = isReadOrTold(damaged.getBytes(StandardCharsets.UTF_8));
                read += isRead ? 1 : 0;
                told += isRead ? 0 : 1;
            }
        }
        assertThat(read).isPositive();
        assertThat(told).isPositive();
    }

    @Test
    void randomBytesInAReportAreReadOrTold() throws IOException {
        byte[] whole = sample().getBytes(StandardCharsets.UTF_8);
        Random random = new Random(20_261_128);
        int told = 0;
        for (int round = 0; round < 1_000; round++) {
            byte[] damaged = whole.clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            told += isReadOrTold(damaged) ? 0 : 1;
        }
        assertThat(told).isBetween(1, 999);
    }
}
