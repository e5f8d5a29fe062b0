package org.rankunit.engine.report;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Phase;
import org.rankunit.golden.GoldenSummary;

/**
 * The content of {@code report.json}; its schema is {@code docs/report.schema.json}.
 *
 * @param version version of RankUnit
 * @param run identifies the run of the build tool; the processes of one run write one report
 * @param platform the configured platform, or {@code auto}
 * @param written when the report was written, in ISO-8601
 */
public record RunReport(
        String version, String run, String platform, String java, String written, List<TestEntry> tests) {

    /**
     * One result of one test.
     *
     * @param attempt 1, or more if the test was rerun
     * @param result {@code passed}, {@code failed}, {@code aborted} or {@code skipped}
     * @param reason why it did not pass
     * @param retry for a test that failed because of a device: where and why, and that it was rerun on others, or why it was not
     * @param timeline the file with its timeline, relative to the folder of the report, if one was written
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
            @Nullable String timeline,
            Durations milliseconds,
            List<RankEntry> ranks) {

        /** Copy this entry with this number among the entries of the same test. */
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
                    timeline,
                    milliseconds,
                    ranks);
        }

        /** Copy this entry with its paths, which are relative to the folder of the report, changed by a function. */
        public TestEntry withPaths(UnaryOperator<String> change) {
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    attempt,
                    variant,
                    devices,
                    group,
                    result,
                    reason,
                    retry,
                    timeline == null ? null : change.apply(timeline),
                    milliseconds,
                    ranks.stream().map(rank -> rank.withLog(change)).toList());
        }

        TestEntry withTearDown(double tearDown) {
            Durations d = milliseconds;
            Durations all = new Durations(d.compile, d.reserve, d.start, d.bootstrap, d.run, d.verify, tearDown);
            PhaseTime last = new PhaseTime(Phase.TEAR_DOWN.text(), tearDown);
            return new TestEntry(
                    uniqueId,
                    name,
                    displayName,
                    attempt,
                    variant,
                    devices,
                    group,
                    result,
                    reason,
                    retry,
                    timeline,
                    all,
                    ranks.stream().map(rank -> rank.with(last)).toList());
        }
    }

    /** The variant of a test; the platform is {@code none} if it did not run on any. */
    public record Variant(String platform, int ranks) {}

    /**
     * How long each phase took, in milliseconds. The start of a group counts towards the first test it ran, its end towards the last.
     */
    public record Durations(
            double compile,
            double reserve,
            double start,
            double bootstrap,
            double run,
            double verify,
            double tearDown) {}

    /**
     * The outcome of the test on one rank.
     *
     * @param knownAfter milliseconds from the test's end on this rank until the parent learned of it; 0 if the parent
     *     determined the end itself, or if there was none
     * @param goldens the golden checks made on the rank
     * @param leftOut what the rank did not report because it was too much
     * @param failedIn name of the phase in which the rank failed, if it reported a failure of its own
     * @param phases the phases that happened, in the order in which they began. Those of the start of a group count towards the
     *     first test it ran, those of its end towards the last
     * @param busy the cores and streams that did something, if a timeline was written
     */
    public record RankEntry(
            int rank,
            int device,
            String outcome,
            double knownAfter,
            @Nullable String message,
            String log,
            List<GoldenSummary> goldens,
            @Nullable String leftOut,
            @Nullable String failedIn,
            List<PhaseTime> phases,
            List<Busy> busy) {

        private RankEntry withLog(UnaryOperator<String> change) {
            return new RankEntry(
                    rank,
                    device,
                    outcome,
                    knownAfter,
                    message,
                    change.apply(log),
                    goldens,
                    leftOut,
                    failedIn,
                    phases,
                    busy);
        }

        private RankEntry with(PhaseTime last) {
            List<PhaseTime> all = new ArrayList<>(phases);
            all.add(last);
            return new RankEntry(
                    rank,
                    device,
                    outcome,
                    knownAfter,
                    message,
                    log,
                    goldens,
                    leftOut,
                    failedIn,
                    List.copyOf(all),
                    busy);
        }
    }

    /** For which share of the test a core or stream of a rank was busy, from 0 to 1. */
    public record Busy(String lane, double share) {}

    /** How long one {@link Phase} took on one rank. */
    public record PhaseTime(String name, double milliseconds) {}
}
