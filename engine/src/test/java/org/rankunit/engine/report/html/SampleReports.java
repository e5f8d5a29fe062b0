package org.rankunit.engine.report.html;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.engine.control.RankOutcome.RankWait;
import org.rankunit.engine.report.RunReport;
import org.rankunit.golden.GoldenErrors;
import org.rankunit.golden.GoldenSample;
import org.rankunit.golden.GoldenStatistic;
import org.rankunit.golden.GoldenSummary;

/** Reports as runs of different kinds leave them. */
public final class SampleReports {

    private static final String[] CLASSES = {
        "AllReduceTest", "BroadcastTest", "HaloExchangeTest", "MatMulTest", "PipelineTest", "TreduceTest"
    };

    private static final List<String> NODES = List.of("node9", "node9", "node10", "node10");

    private SampleReports() {}

    /** One of each kind with few tests. */
    public static List<RunReport> small() {
        return List.of(passing(1, 2), report(List.of(wrongOutput())), hanging(), acrossNodes(), hostile());
    }

    /** As many tests, all of which passed on as many ranks, with one golden each. */
    static RunReport passing(int tests, int ranks) {
        List<RunReport.TestEntry> all = new ArrayList<>();
        for (int i = 0; i < tests; i++) {
            all.add(passed(i, ranks));
        }
        return report(all);
    }

    /** Some tests passed, one was skipped, one aborted, and one has an output that is wrong on rank 0. */
    static RunReport failing() {
        List<RunReport.TestEntry> all = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            all.add(passed(i, 4));
        }
        all.add(3, wrongOutput());
        all.add(test(
                "SlowTest.waits", 31, "skipped", 2, "needs 32 devices of a2a3sim, and there are 16", null, List.of()));
        all.add(test(
                "AssumingTest.assumes",
                32,
                "aborted",
                2,
                "AssumingTest.assumes [2 ranks, a2a3sim] was aborted on rank 1: no second node",
                null,
                List.of(rank(0, 32, "passed", null, List.of()), rank(1, 32, "aborted", "no second node", List.of()))));
        return report(all);
    }

    static RunReport.TestEntry wrongOutput() {
        List<Double> profile = new ArrayList<>();
        for (int part = 0; part < 64; part++) {
            profile.add(part < 16 || part >= 32 ? part * 1e-6 : part == 20 ? Double.POSITIVE_INFINITY : 5.0 * part);
        }
        GoldenSummary wrong = summary(
                64,
                227,
                127,
                0.257,
                127,
                256,
                List.of(
                        new GoldenSample(64, "856.0", "692.0", 164),
                        new GoldenSample(65, "862.0", "697.0", 165),
                        new GoldenSample(66, "868.0", "702.0", 166)),
                new GoldenErrors(-6, List.of(12, 90, 0, 0, 0, 0, 0, 4, 60), profile));
        List<RunReport.RankEntry> ranks = new ArrayList<>();
        ranks.add(rank(
                0,
                33,
                "failed",
                "org.rankunit.golden.GoldenMismatchError: output: 64 of 256 elements differ",
                List.of(wrong)));
        for (int r = 1; r < 4; r++) {
            ranks.add(rank(r, 33, "passed", null, List.of(golden())));
        }
        return test("TreduceTest.sumsTheInputsOfAllRanksOnTheRoot", 33, "failed", 4, """
                TreduceTest.sumsTheInputsOfAllRanksOnTheRoot [4 ranks, a2a3sim] failed on rank 0

                  output: 64 of 256 elements differ (25.0 %), all in [64, 128): one contiguous run
                    first      [64]   expected 856.0   was 692.0  difference 164.0  (allowed 0.00857)
                    worst      [127]  expected 1108.0  was 881.0  difference 227.0  (allowed 0.01109)
                  ranks 1, 2, 3 passed""", null, ranks);
    }

    /** Rank 1 never enters the barrier that the others are in. */
    static RunReport hanging() {
        RunReport.Hang hang = new RunReport.Hang(
                "ranks 0, 2, 3 are in barrier #17 (AllReduceTest.java:42); rank 1 never entered it: it is at TreduceTest.java:57",
                List.of(
                        new RankWait(0, "barrier #17 (AllReduceTest.java:42)", List.of(1)),
                        new RankWait(2, "barrier #17 (AllReduceTest.java:42)", List.of(1)),
                        new RankWait(3, "barrier #17 (AllReduceTest.java:42)", List.of(1))));
        List<RunReport.RankEntry> ranks = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            ranks.add(new RunReport.RankEntry(
                    r,
                    r,
                    "unfinished",
                    0,
                    "had not ended after 3000 ms (rankunit.test-timeout), and was ended",
                    "logs/a/group-1-rank-" + r + ".log",
                    List.of(),
                    null,
                    null,
                    List.of(),
                    List.of(),
                    3_400.5,
                    List.of(),
                    List.of(),
                    "rank " + r
                            + " got its input\n\"main\" #1 prio=5\n    at java.base/java.lang.Object.wait(Native Method)\n",
                    null));
        }
        return report(List.of(
                passed(0, 4),
                test(
                        "AllReduceTest.reduces",
                        1,
                        "failed",
                        4,
                        "AllReduceTest.reduces [4 ranks, a2a3sim] failed on ranks 0, 1, 2, 3\n\n  " + hang.text()
                                + "\n  ranks 0, 1, 2, 3 had not ended after 3000 ms (rankunit.test-timeout), and were ended",
                        hang,
                        ranks)));
    }

    /** A test failed on a rank of the second of two nodes, each of which has devices 0 and 1; another passed on the first. */
    static RunReport acrossNodes() {
        List<RunReport.RankEntry> ranks = new ArrayList<>();
        for (int r = 0; r < 4; r++) {
            ranks.add(ofNode(
                    r,
                    r == 3 ? "failed" : "released",
                    r == 3 ? "java.lang.AssertionError: wrong" : "because of rank 3: aborted"));
        }
        RunReport.TestEntry failed = test(
                "AllReduceTest.reduces",
                0,
                "failed",
                4,
                "AllReduceTest.reduces [4 ranks, a2a3] failed on rank 3",
                null,
                ranks);
        RunReport.TestEntry passed = test(
                "BroadcastTest.sends",
                1,
                "passed",
                2,
                null,
                null,
                List.of(ofNode(0, "passed", null), ofNode(1, "passed", null)));
        RunReport.Execution execution = report(List.of()).executions().get(0);
        return with(
                report(List.of(on(failed, 1, NODES), on(passed, 2, NODES.subList(0, 2)))),
                List.of(new RunReport.Execution(
                        execution.number(),
                        execution.pid(),
                        execution.started(),
                        execution.milliseconds(),
                        List.of(ofNodes(1, 1, NODES), ofNodes(2, 402, NODES.subList(0, 2))),
                        List.of())));
    }

    private static RunReport.RankEntry ofNode(int r, String outcome, @Nullable String message) {
        boolean failed = outcome.equals("failed");
        return new RunReport.RankEntry(
                r,
                r % 2,
                outcome,
                0.1,
                message,
                "logs/a/group-1-rank-" + r + ".log",
                List.of(),
                null,
                failed ? "run" : null,
                List.of(new RunReport.PhaseTime("run", null, 1.3)),
                List.of(),
                null,
                List.of(),
                failed ? List.of("    at org.example.AllReduceTest.reduces(AllReduceTest.java:52)") : List.of(),
                failed ? "got its input\n" : null,
                NODES.get(r));
    }

    private static RunReport.TestEntry on(RunReport.TestEntry test, int group, List<String> nodes) {
        return new RunReport.TestEntry(
                test.uniqueId(),
                test.name(),
                test.displayName(),
                test.attempt(),
                test.execution(),
                new RunReport.Variant("a2a3", nodes.size()),
                IntStream.range(0, nodes.size()).map(rank -> rank % 2).boxed().toList(),
                group,
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
                test.ranks(),
                nodes);
    }

    private static RunReport.GroupUse ofNodes(int number, double asked, List<String> nodes) {
        return new RunReport.GroupUse(
                number,
                "a2a3",
                IntStream.range(0, nodes.size()).map(rank -> rank % 2).boxed().toList(),
                number == 1 ? "AllReduceTest" : "BroadcastTest",
                asked,
                asked + 1,
                asked + 40,
                asked + 80,
                List.of(new RunReport.ClassUse(
                        number == 1 ? "AllReduceTest" : "BroadcastTest", asked + 41, asked + 70)),
                nodes);
    }

    private static RunReport with(RunReport report, List<RunReport.Execution> executions) {
        return new RunReport(
                report.schemaVersion(),
                report.version(),
                report.run(),
                report.platform(),
                report.java(),
                report.written(),
                executions,
                report.tests(),
                report.pictures());
    }

    /** Names and texts that would break a page that took them for markup or script. */
    static RunReport hostile() {
        String hostile =
                "</script><script>document.title='owned'</script><!--<img src=x onerror=alert(1)>&lt;'\"`${1}\u2028\u2029\u0000\ud800 \ud83d\ude00 @data@";
        List<RunReport.RankEntry> ranks = List.of(rank(0, 1, "failed", hostile, List.of(golden().named(hostile))));
        return report(List.of(test(
                hostile,
                1,
                "failed",
                1,
                hostile,
                new RunReport.Hang(hostile, List.of(new RankWait(0, hostile, List.of(0)))),
                ranks)));
    }

    static RunReport.TestEntry passed(int i, int ranks) {
        return test(
                CLASSES[i % CLASSES.length] + ".case" + i + "",
                i,
                "passed",
                ranks,
                null,
                null,
                IntStream.range(0, ranks)
                        .mapToObj(r -> rank(r, i, "passed", null, List.of(golden())))
                        .toList());
    }

    private static GoldenSummary golden() {
        return summary(0, 0.000123456789, 17, 1.23456e-6, 17, 65_536, List.of(), null);
    }

    private static GoldenSummary summary(
            int mismatches,
            double maxAbsolute,
            int maxAbsoluteIndex,
            double maxRelative,
            int maxRelativeIndex,
            int count,
            List<GoldenSample> samples,
            @Nullable GoldenErrors errors) {
        return new GoldenSummary(
                "output",
                DType.FLOAT32,
                count,
                mismatches,
                0,
                0,
                mismatches,
                maxAbsolute,
                maxAbsoluteIndex,
                maxRelative,
                maxRelativeIndex,
                1e-5,
                1e-5,
                "allclose",
                List.of(new GoldenStatistic("MERE", mismatches == 0 ? 0 : 0.25, "below 9.765625E-4", mismatches == 0)),
                samples,
                errors);
    }

    private static RunReport.RankEntry rank(
            int r, int i, String outcome, @Nullable String message, List<GoldenSummary> goldens) {
        double start = 400 + 3 * i + 0.013 * r;
        List<RunReport.PhaseTime> spans = List.of(
                new RunReport.PhaseTime("barrier", start - 0.2, 0.2),
                new RunReport.PhaseTime("barrier", start + 0.6, 0.3 + 0.05 * r),
                new RunReport.PhaseTime("collect outputs", start + 1.4, 0.25),
                new RunReport.PhaseTime("verify", start + 1.7, 0.4),
                new RunReport.PhaseTime("run", start, 2.3));
        List<RunReport.PhaseTime> phases = List.of(
                new RunReport.PhaseTime("bring up", 40.5, 310.25), new RunReport.PhaseTime("barrier", start - 0.2, 0.2),
                new RunReport.PhaseTime("run", start, 1.3),
                        new RunReport.PhaseTime("barrier", start + 0.6, 0.3 + 0.05 * r),
                new RunReport.PhaseTime("collect outputs", start + 1.4, 0.25),
                        new RunReport.PhaseTime("verify", start + 1.7, 0.4));
        boolean failed = outcome.equals("failed");
        return new RunReport.RankEntry(
                r,
                r,
                outcome,
                0.1,
                message,
                "logs/a/group-1-rank-" + r + ".log",
                goldens,
                null,
                failed ? "verify" : null,
                phases,
                List.of(new RunReport.Busy("vector core 0", 0.42), new RunReport.Busy("stream 1", 0.073)),
                start + 2.3,
                spans,
                failed
                        ? List.of(
                                "    at org.example.TreduceTest.verify(TreduceTest.java:88)",
                                "    at org.example.TreduceTest.sums(TreduceTest.java:52)")
                        : List.of(),
                failed ? "sum of 4 ranks on the root\nchunk 2 of 4 done\n" : null,
                null);
    }

    private static RunReport.TestEntry test(
            String name,
            int i,
            String result,
            int ranks,
            @Nullable String reason,
            RunReport.@Nullable Hang hang,
            List<RunReport.RankEntry> entries) {
        boolean ran = !entries.isEmpty();
        return new RunReport.TestEntry(
                "[engine:rankunit]/[class:org.example." + name + "]",
                name,
                name.substring(name.indexOf('.') + 1),
                1,
                1,
                new RunReport.Variant(ran ? "a2a3sim" : "none", ranks),
                ran ? IntStream.range(0, ranks).boxed().toList() : List.of(),
                ran ? 1 : 0,
                ran ? 400.0 + 3 * i : null,
                result,
                reason,
                hang,
                null,
                null,
                null,
                List.of(),
                null,
                ran
                        ? new RunReport.Durations(null, 0, i == 0 ? 0.4 : 0, i == 0 ? 312.5 : 0, 1.65, 0.25, 0.4, 0)
                        : new RunReport.Durations(null, 0, 0, 0, 0, 0, 0, 0),
                entries,
                List.of());
    }

    static RunReport report(List<RunReport.TestEntry> tests) {
        double end = 500 + 3.0 * tests.size();
        List<RunReport.GroupUse> groups = List.of(
                new RunReport.GroupUse(
                        1,
                        "a2a3sim",
                        List.of(0, 1, 2, 3),
                        "AllReduceTest",
                        1,
                        1.5,
                        360.0,
                        end,
                        List.of(
                                new RunReport.ClassUse("AllReduceTest", 361, end / 2),
                                new RunReport.ClassUse("TreduceTest", end / 2 + 20, end - 30)),
                        List.of()),
                new RunReport.GroupUse(
                        2,
                        "a2a3sim",
                        List.of(4, 5),
                        "BroadcastTest",
                        20,
                        180,
                        380.0,
                        null,
                        List.of(new RunReport.ClassUse("BroadcastTest", 390, null)),
                        List.of()),
                new RunReport.GroupUse(
                        3, "a2a3sim", List.of(6), "HaloExchangeTest", 20, 180, null, 400.0, List.of(), List.of()));
        return new RunReport(
                2,
                "0.1.0",
                "7@2026-11-23T10:00:00Z",
                "auto",
                "OpenJDK 64-Bit Server VM 17.0.2",
                "2026-11-23T10:00:09Z",
                List.of(new RunReport.Execution(
                        1,
                        7,
                        "2026-11-23T10:00:00Z",
                        end,
                        groups,
                        List.of(new RunReport.Refusal(
                                "PipelineTest", "a2a3sim", 16, 20, 320, "4 of 16 devices are held by process 812")))),
                tests,
                List.of());
    }
}
