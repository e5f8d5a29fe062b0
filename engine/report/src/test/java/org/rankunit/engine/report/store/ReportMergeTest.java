package org.rankunit.engine.report.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.report.summary.Entries.failed;
import static org.rankunit.engine.report.summary.Entries.ofShard;
import static org.rankunit.engine.report.summary.Entries.passed;
import static org.rankunit.engine.report.summary.Entries.report;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.summary.ReportSummary;

@Tag("unit")
class ReportMergeTest {

    private static RunReport merged(RunReport... reports) {
        List<ReportMerge.Part> parts = java.util.stream.IntStream.range(0, reports.length)
                .mapToObj(i -> new ReportMerge.Part(Path.of("/ci/shard-" + i), reports[i]))
                .toList();
        return ReportMerge.of(parts, Path.of("/ci/all"));
    }

    @Test
    void eachShardGivesTheTestsThatItHasRun() {
        RunReport all = merged(
                report(
                        "a",
                        "2026-11-23T10:00:00.000Z",
                        passed("A", "a", 1),
                        ofShard(2, "B", "b"),
                        ofShard(2, "C", "c")),
                report(
                        "b",
                        "2026-11-23T10:00:01.000Z",
                        ofShard(1, "A", "a"),
                        passed("B", "b", 1),
                        ofShard(2, "C", "c")));

        assertThat(all.tests())
                .extracting(test -> test.name() + " " + test.result() + " " + test.attempt())
                .containsExactly("A.a passed 1", "C.c skipped 1", "B.b passed 1");
        assertThat(all.run()).isEqualTo("a, b");
        assertThat(all.version()).isEqualTo("1.0");
        assertThat(all.written()).isEqualTo("2026-11-23T10:00:01.000Z");
    }

    @Test
    void attemptsAreNumberedInTheOrderInWhichReportsWereWritten() {
        RunReport all = merged(
                report("later", "2026-11-23T11:00:00.000Z", passed("A", "a", 1)),
                report("first", "2026-11-23T10:00:00.000Z", failed("A", "a", "x"), failed("B", "b", "y")));

        assertThat(all.tests())
                .extracting(test -> test.name() + " " + test.result() + " " + test.attempt())
                .containsExactly("A.a failed 1", "B.b failed 1", "A.a passed 2");
        ReportSummary summary = ReportSummary.of(all.tests());
        assertThat(summary.counts()).isEqualTo("Tests run: 2, Failures: 1, Skipped: 0, Passed after a rerun: 1");
    }

    @Test
    void testsBelongToTheExecutionsOfTheirOwnReport() {
        RunReport all = merged(
                report("later", "2026-11-23T11:00:00.000Z", passed("A", "a", 1)),
                report("first", "2026-11-23T10:00:00.000Z", passed("B", "b", 1)));

        assertThat(all.schemaVersion()).isEqualTo(RunReport.SCHEMA_VERSION);
        assertThat(all.executions())
                .extracting(each -> each.number() + " " + each.started())
                .containsExactly("1 2026-11-23T10:00:00.000Z", "2 2026-11-23T11:00:00.000Z");
        assertThat(all.tests())
                .extracting(test -> test.name() + " " + test.execution())
                .containsExactly("B.b 1", "A.a 2");
    }

    @Test
    void pathsAreRelativeToTheFolderOfTheResult() {
        RunReport.TestEntry test =
                merged(report("a", "2026", passed("A", "a", 1))).tests().get(0);

        assertThat(test.timeline()).isEqualTo("../shard-0/trace/t.json");
        assertThat(test.ranks().get(0).log()).isEqualTo("../shard-0/logs/rank-0.log");
    }
}
