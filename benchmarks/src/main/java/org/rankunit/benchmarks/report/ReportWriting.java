package org.rankunit.benchmarks.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.DType;
import org.rankunit.engine.report.ReportFormat;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.html.HtmlReport;
import org.rankunit.engine.report.json.JsonReport;
import org.rankunit.golden.GoldenErrors;
import org.rankunit.golden.GoldenSample;
import org.rankunit.golden.GoldenSummary;

/**
 * Program: write the report of a large run in each format, and print for each the milliseconds and the bytes. Arguments: folder, number
 * of tests, number of ranks. Every fiftieth test has failed.
 */
final class ReportWriting {

    private static final int OF_WHICH_ONE_FAILS = 50;
    private static final double NANOS_PER_MILLI = 1e6;

    private ReportWriting() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        RunReport report = report(Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        for (ReportFormat format : List.of(new JsonReport(), new HtmlReport())) {
            Path file = folder.resolve(format.fileName());
            Files.deleteIfExists(file);
            long begin = System.nanoTime();
            format.write(report, file);
            double took = (System.nanoTime() - begin) / NANOS_PER_MILLI;
            System.out.println(took + " " + Files.size(file));
        }
    }

    private static RunReport report(int tests, int ranks) {
        List<RunReport.TestEntry> all = new ArrayList<>();
        for (int i = 0; i < tests; i++) {
            all.add(test(i, ranks));
        }
        double end = 400 + 3.0 * tests;
        RunReport.GroupUse group = new RunReport.GroupUse(
                1,
                "a2a3sim",
                IntStream.range(0, ranks).boxed().toList(),
                "BenchmarkTest0",
                1,
                1.5,
                360.0,
                end,
                List.of(new RunReport.ClassUse("BenchmarkTest0", 361, end)),
                List.of());
        return new RunReport(
                RunReport.SCHEMA_VERSION,
                "benchmark",
                "1@2026-11-23T10:00:00Z",
                "auto",
                "benchmark",
                "2026-11-23T10:00:09Z",
                List.of(new RunReport.Execution(1, 1, "2026-11-23T10:00:00Z", end, List.of(group), List.of())),
                all,
                List.of());
    }

    private static RunReport.TestEntry test(int i, int ranks) {
        boolean fails = i % OF_WHICH_ONE_FAILS == 0;
        String name = "BenchmarkTest" + i / 20 + ".test" + i % 20;
        String reason = fails
                ? name + " [" + ranks + " ranks, a2a3sim] failed on rank 0\n\n  output: 64 of 65536 elements differ\n"
                        + "    first  [64]  expected 856.0  was 692.0  difference 164.0\n".repeat(6)
                : null;
        return new RunReport.TestEntry(
                "[engine:rankunit]/[class:org.rankunit.benchmarks.BenchmarkTest" + i / 20 + "]/[method:test" + i % 20
                        + "(org.rankunit.RankContext)]",
                name,
                "test" + i % 20 + "(RankContext)",
                1,
                1,
                new RunReport.Variant("a2a3sim", ranks),
                IntStream.range(0, ranks).boxed().toList(),
                1,
                400.0 + 3 * i,
                fails ? "failed" : "passed",
                reason,
                null,
                null,
                null,
                null,
                List.of(),
                null,
                new RunReport.Durations(null, 0, 0, 0, 1.65, 0.25, 0.4, 0),
                IntStream.range(0, ranks)
                        .mapToObj(rank -> rank(rank, i, fails && rank == 0))
                        .toList(),
                List.of());
    }

    private static RunReport.RankEntry rank(int rank, int i, boolean fails) {
        double start = 400 + 3 * i + 0.013 * rank;
        List<RunReport.PhaseTime> spans = List.of(
                new RunReport.PhaseTime("barrier", start - 0.2, 0.201),
                new RunReport.PhaseTime("barrier", start + 0.6, 0.302),
                new RunReport.PhaseTime("collect outputs", start + 1.4, 0.253),
                new RunReport.PhaseTime("verify", start + 1.7, 0.404),
                new RunReport.PhaseTime("run", start, 2.305));
        return new RunReport.RankEntry(
                rank,
                rank,
                fails ? "failed" : "passed",
                0.1,
                fails ? "org.rankunit.golden.GoldenMismatchError: output: 64 of 65536 elements differ" : null,
                "logs/1a2b3c4d5e6f/group-1-rank-" + rank + ".log",
                List.of(golden(i, rank, fails)),
                null,
                fails ? "verify" : null,
                spans,
                List.of(),
                start + 2.3,
                spans,
                fails
                        ? List.of("    at org.rankunit.benchmarks.BenchmarkTest.test(BenchmarkTest.java:" + i + ")")
                        : List.of(),
                fails ? ("rank " + rank + " of test " + i + " has printed a line\n").repeat(40) : null,
                null);
    }

    private static GoldenSummary golden(int i, int rank, boolean fails) {
        return new GoldenSummary(
                "output",
                DType.FLOAT32,
                65_536,
                fails ? 64 : 0,
                0,
                0,
                fails ? 64 : 0,
                1.23456789e-6 * (i + 1) / (rank + 1),
                17 * rank,
                1.98765432e-7 * (i + 1),
                23 * rank,
                1e-5,
                1e-5,
                "allclose",
                List.of(),
                fails ? List.of(new GoldenSample(64, "856.0", "692.0", 164)) : List.of(),
                fails
                        ? new GoldenErrors(
                                -3,
                                List.of(5, 4, 3),
                                IntStream.range(0, GoldenErrors.MAX_PARTS)
                                        .mapToObj(part -> part * 0.123456789)
                                        .toList())
                        : null);
    }
}
