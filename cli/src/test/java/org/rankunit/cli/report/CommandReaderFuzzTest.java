package org.rankunit.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.HtmlReport;
import org.rankunit.engine.report.html.SampleReports;
import org.rankunit.engine.report.store.ReportMerge;
import org.rankunit.engine.report.summary.ConsoleSummary;
import org.rankunit.engine.report.summary.GitHubAnnotations;
import org.rankunit.engine.report.summary.MarkdownSummary;
import org.rankunit.engine.report.summary.ReportSummary;
import org.rankunit.rules.FuzzTarget;
import org.rankunit.rules.FuzzedReaders;

/** What people give to commands. */
class CommandReaderFuzzTest extends FuzzedReaders {

    @Override
    protected List<FuzzTarget<?>> targets() throws IOException {
        return List.of(namedReports());
    }

    /** Reports that a user has named, each of which is merged and shown, or told of. */
    private static FuzzTarget<?> namedReports() throws IOException {
        return SampleReports.addTo(FuzzTarget.ofFile(
                        "named-reports", "report.json", file -> ReportFiles.read(List.of(file), List.of()))
                .rounds(200)
                .then(files -> {
                    assertThat(files.errors()).allMatch(line -> line.contains("report.json"));
                    assertThat(files.parts()).hasSize(1 - files.errors().size());
                    if (!files.parts().isEmpty()) {
                        RunReport merged = ReportMerge.of(files.parts(), Path.of(""));
                        ReportSummary summary = ReportSummary.of(merged.tests());
                        assertThat(ConsoleSummary.lines(summary)).isNotNull();
                        assertThat(MarkdownSummary.of(summary, "Tests")).isNotBlank();
                        new HtmlReport().write(merged, Path.of("target", "fuzz", "merged.html"));
                        assertThat(GitHubAnnotations.lines(summary, Path.of("a"), Path.of("b")))
                                .isNotNull();
                    }
                }));
    }
}
