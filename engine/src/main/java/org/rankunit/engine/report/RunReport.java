package org.rankunit.engine.report;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.golden.GoldenSummary;

/**
 * The content of {@code report.json}; its schema is {@code docs/report.schema.json}.
 *
 * @param version version of RankUnit
 * @param run tells the runs of a build tool apart; the processes of one run write one report
 * @param platform the configured platform, or {@code auto}
 * @param written when, in ISO-8601
 */
public record RunReport(
        String version, String run, String platform, String java, String written, List<TestEntry> tests) {

    /**
     * One result of one test.
     *
     * @param attempt 1, or more where a test was run again
     * @param result {@code passed}, {@code failed}, {@code aborted} or {@code skipped}
     * @param reason why it did not pass
     * @param retry of a test that failed because of a device: where and why, and that it ran again on others; or why it did not
     * @param group number of its rank group within the process, 0 if it did not run
     */
    public record TestEntry(
            String uniqueId,
            String name,
            String displayName,
            int attempt,
            Variant variant,
            List<Integer> devices,
            int group,
            String result,
            @Nullable String reason,
            @Nullable String retry,
            Durations milliseconds,
            List<RankEntry> ranks) {

        /** Copy this entry, and number it among those of the same test. */
        public TestEntry asAttempt(int number) {
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    number,
                    variant,
                    devices,
                    group,
                    result,
                    reason,
                    retry,
                    milliseconds,
                    ranks);
        }

        TestEntry withTearDown(double tearDown) {
            Durations d = milliseconds;
            Durations all = new Durations(d.reserve, d.start, d.bootstrap, d.run, d.verify, tearDown);
            return new TestEntry(
                    uniqueId, name, displayName, attempt, variant, devices, group, result, reason, retry, all, ranks);
        }
    }

    /** Which variant of a test it was; the platform is {@code none} where it could run on none. */
    public record Variant(String platform, int ranks) {}

    /**
     * How long each phase took. What a group costs is counted to the first test it ran, its end to the last.
     */
    public record Durations(
            double reserve, double start, double bootstrap, double run, double verify, double tearDown) {}

    /**
     * What one rank made of the test.
     *
     * @param knownAfter milliseconds from the test's end on this rank until the parent knew of it; 0 where the parent found
     *     the end itself, or there was none
     * @param goldens its golden checks, as they were made on the rank
     * @param leftOut what the rank did not tell because it is too much
     */
    public record RankEntry(
            int rank,
            int device,
            String outcome,
            double knownAfter,
            @Nullable String message,
            String log,
            List<GoldenSummary> goldens,
            @Nullable String leftOut) {}
}
