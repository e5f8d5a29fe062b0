package org.rankunit.engine.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.control.Failure;
import org.rankunit.engine.control.Phase;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.timeline.trace.TestTimeline;

/** Collects results as entries of the report. Thread-safe: groups work, and end, on separate threads. */
public final class ReportCollector {

    private static final double NANOS_PER_MILLI = 1e6;

    /** Shares are rounded to so many parts. */
    private static final double SHARES = 1e6;

    private final Path folder;
    private final List<RunReport.TestEntry> entries = new ArrayList<>();
    private final Map<Integer, Integer> lastOfGroup = new HashMap<>();

    /** Collect for a report in this folder: the paths of logs are relative to it. */
    public ReportCollector(Path folder) {
        this.folder = folder;
    }

    /** Add one result. */
    public synchronized void add(TestResult result) {
        lastOfGroup.put(result.group(), entries.size());
        entries.add(new RunReport.TestEntry(
                result.test().getUniqueId().toString(),
                result.test().title(),
                result.test().getDisplayName(),
                1,
                new RunReport.Variant(result.platform().isEmpty() ? "none" : result.platform(), result.ranks()),
                result.devices(),
                result.group(),
                resultOf(result.verdict()),
                reasonOf(result.verdict()),
                result.retry().isEmpty() ? null : result.retry(),
                result.timeline()
                        .map(timeline -> folder.relativize(timeline.file()).toString())
                        .orElse(null),
                new RunReport.Durations(
                        millis(result.phases().compileNanos()),
                        millis(result.phases().reserveNanos()),
                        millis(result.phases().startNanos()),
                        millis(result.phases().bootstrapNanos()),
                        millis(result.runNanos()),
                        millis(result.verifyNanos()),
                        0),
                ranksOf(result)));
    }

    /** Record how long it took to end a group. */
    public synchronized void groupEnded(int group, long nanos) {
        Integer last = lastOfGroup.get(group);
        if (last != null) {
            entries.set(last, entries.get(last).withTearDown(millis(nanos)));
        }
    }

    public synchronized List<RunReport.TestEntry> entries() {
        return List.copyOf(entries);
    }

    private static double millis(long nanos) {
        return Math.round(nanos / NANOS_PER_MILLI * 1000) / 1000.0;
    }

    private static String resultOf(Verdict verdict) {
        if (verdict instanceof Verdict.Passed) {
            return "passed";
        } else if (verdict instanceof Verdict.Skipped) {
            return "skipped";
        }
        return verdict instanceof Verdict.Aborted ? "aborted" : "failed";
    }

    private static @Nullable String reasonOf(Verdict verdict) {
        if (verdict instanceof Verdict.Skipped skipped) {
            return skipped.reason();
        } else if (verdict instanceof Verdict.Aborted aborted) {
            return aborted.cause().getMessage();
        }
        return verdict instanceof Verdict.Failed failed ? failed.cause().getMessage() : null;
    }

    private List<RunReport.RankEntry> ranksOf(TestResult result) {
        List<RunReport.RankEntry> ranks = new ArrayList<>();
        for (int rank = 0; rank < result.devices().size(); rank++) {
            RankEnd end = result.ends().get(rank);
            ranks.add(new RunReport.RankEntry(
                    rank,
                    result.devices().get(rank),
                    end == null ? "not-run" : nameOf(end.outcome()),
                    end == null ? 0 : millis(Math.max(0, end.heardNanos() - end.endedNanos())),
                    end == null ? null : messageOf(end.outcome()),
                    folder.relativize(result.logs().get(rank)).toString(),
                    end == null ? List.of() : end.goldens(),
                    end == null || end.leftOut().isEmpty() ? null : end.leftOut(),
                    end != null && end.outcome() instanceof RankOutcome.Failed failed
                            ? failed.phase().text()
                            : null,
                    phasesOf(result, end),
                    busyOf(result, rank)));
        }
        return ranks;
    }

    private static List<RunReport.Busy> busyOf(TestResult result, int rank) {
        return result.timeline().map(TestTimeline::busy).orElse(List.of()).stream()
                .filter(use -> use.rank() == rank)
                .map(use -> new RunReport.Busy(use.lane(), Math.round(use.share() * SHARES) / SHARES))
                .toList();
    }

    private static List<RunReport.PhaseTime> phasesOf(TestResult result, @Nullable RankEnd end) {
        List<RunReport.PhaseTime> phases = new ArrayList<>();
        if (result.phases().compiled()) {
            phases.add(new RunReport.PhaseTime(
                    Phase.COMPILE.text(), millis(result.phases().compileNanos())));
        }
        if (end != null) {
            end.phases()
                    .forEach(time ->
                            phases.add(new RunReport.PhaseTime(time.phase().text(), millis(time.nanos()))));
        }
        return List.copyOf(phases);
    }

    private static String nameOf(RankOutcome outcome) {
        if (outcome instanceof RankOutcome.NotRun) {
            return "not-run";
        }
        return outcome.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    private static @Nullable String messageOf(RankOutcome outcome) {
        if (outcome instanceof RankOutcome.Skipped skipped) {
            return skipped.reason();
        } else if (outcome instanceof RankOutcome.Aborted aborted) {
            return aborted.cause().headline();
        } else if (outcome instanceof RankOutcome.Failed failed) {
            return failed.cause().headline();
        } else if (outcome instanceof RankOutcome.Released released) {
            Failure consequence = released.consequence();
            return "because of rank " + released.failedRank() + ": " + consequence.headline();
        } else if (outcome instanceof RankOutcome.Died died) {
            return "its process " + died.how();
        }
        return outcome instanceof RankOutcome.Unfinished unfinished ? unfinished.why() : null;
    }
}
