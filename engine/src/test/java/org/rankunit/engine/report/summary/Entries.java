package org.rankunit.engine.report.summary;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.report.RunReport;

/** Reports and their entries, for tests. */
public final class Entries {

    private Entries() {}

    /** A report of one process, whose platform is the simulator. */
    public static RunReport report(String run, String written, RunReport.TestEntry... tests) {
        RunReport.Execution execution = new RunReport.Execution(1, 4711, written, 100, List.of(), List.of());
        return new RunReport(
                RunReport.SCHEMA_VERSION,
                "1.0",
                run,
                "auto",
                "a JVM",
                written,
                List.of(execution),
                List.of(tests),
                List.of());
    }

    public static RunReport.TestEntry passed(String type, String method, double millis) {
        return entry(type, method, "passed", null, millis);
    }

    public static RunReport.TestEntry failed(String type, String method, String reason) {
        return entry(type, method, "failed", reason, 10);
    }

    /** A test of another shard, as each shard lists it. */
    public static RunReport.TestEntry ofShard(int shard, String type, String method) {
        return entry(type, method, "skipped", "in shard " + shard + " of 2 (rankunit.shard = 1/2)", 0);
    }

    /** The same test, but run on these devices of these nodes. */
    public static RunReport.TestEntry onNodes(RunReport.TestEntry test, List<Integer> devices, List<String> nodes) {
        return new RunReport.TestEntry(
                test.uniqueId(),
                test.name(),
                test.displayName(),
                test.attempt(),
                test.execution(),
                test.variant(),
                devices,
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
                test.ranks(),
                nodes);
    }

    private static RunReport.TestEntry entry(
            String type, String method, String result, @Nullable String reason, double millis) {
        boolean ran = !result.equals("skipped");
        return new RunReport.TestEntry(
                "[engine:rankunit]/[class:org.example." + type + "]/[method:" + method + "()]",
                type + "." + method,
                method + "()",
                1,
                1,
                new RunReport.Variant(ran ? "a2a3sim" : "none", 2),
                ran ? List.of(4, 5) : List.of(),
                ran ? 1 : 0,
                null,
                result,
                reason,
                null,
                null,
                ran ? "trace/t.json" : null,
                null,
                List.of(),
                null,
                new RunReport.Durations(null, 0, 0, 0, millis, 0, 0, 0),
                ran
                        ? List.of(new RunReport.RankEntry(
                                0,
                                4,
                                result,
                                0,
                                null,
                                "logs/rank-0.log",
                                List.of(),
                                null,
                                null,
                                List.of(),
                                List.of(),
                                null,
                                List.of(),
                                List.of(),
                                null,
                                null))
                        : List.of(),
                List.of());
    }
}
