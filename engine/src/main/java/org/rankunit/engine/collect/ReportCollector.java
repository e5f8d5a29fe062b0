package org.rankunit.engine.collect;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.group.GroupPhases;
import org.rankunit.engine.merge.outcome.RankEnd;
import org.rankunit.engine.merge.outcome.TestResult;
import org.rankunit.engine.merge.outcome.Verdict;
import org.rankunit.engine.merge.rounds.RoundStatistics;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.engine.report.Pictures;
import org.rankunit.engine.report.RunClock;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.timeline.trace.TestTimeline;

/** Collects results as entries of the report. Thread-safe: groups work, and end, on separate threads. */
public final class ReportCollector {

    /** Shares are rounded to so many parts. */
    private static final double SHARES = 1e6;

    /** The last characters of what a rank has printed during a test that did not pass; the rest is in its log. */
    private static final int OUTPUT_CHARS = 6_000;

    /** Of all ranks and tests together, so that many failures of ranks that print much do not make a report that cannot be opened. */
    private static final int OUTPUT_CHARS_OF_RUN = 16 << 20;

    private final Path folder;
    private final RunClock clock;
    private int outputLeft = OUTPUT_CHARS_OF_RUN;
    private final List<RunReport.TestEntry> entries = new ArrayList<>();
    private final Pictures pictures = new Pictures();
    private final Map<Integer, Integer> lastOfGroup = new HashMap<>();

    /** Collect for a report in this folder: the paths of logs are relative to it. */
    public ReportCollector(Path folder, RunClock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Add one result. */
    public synchronized void add(TestResult result) {
        lastOfGroup.put(result.group(), entries.size());
        pictures.add(CollectiveEntries.picturesOf(result));
        entries.add(new RunReport.TestEntry(
                result.test().getUniqueId().toString(),
                result.test().title(),
                result.test().getDisplayName(),
                1,
                1,
                new RunReport.Variant(result.platform().isEmpty() ? "none" : result.platform(), result.ranks()),
                result.devices().stream().map(DeviceRef::id).toList(),
                result.group(),
                result.startedNanos().isPresent()
                        ? clock.at(result.startedNanos().getAsLong())
                        : null,
                resultOf(result.verdict()),
                reasonOf(result.verdict()),
                hangOf(result),
                result.retry().isEmpty() ? null : result.retry(),
                result.timeline()
                        .map(timeline -> folder.relativize(timeline.file()).toString())
                        .orElse(null),
                result.rounds().map(ReportCollector::roundsOf).orElse(null),
                CollectiveEntries.of(result),
                result.bandwidth().isEmpty() ? null : result.bandwidth(),
                durationsOf(result),
                ranksOf(result),
                RunReport.nodesOf(result.devices())));
    }

    /** Record how long it took to end a group. */
    public synchronized void groupEnded(int group, long nanos) {
        Integer last = lastOfGroup.get(group);
        if (last != null) {
            entries.set(
                    last, entries.get(last).withTearDown(clock.at(System.nanoTime() - nanos), RunClock.millis(nanos)));
        }
    }

    public synchronized List<RunReport.TestEntry> entries() {
        return List.copyOf(entries);
    }

    /** The pictures of collectives that tests ran. */
    public synchronized List<RunReport.Picture> pictures() {
        return pictures.all();
    }

    private static RunReport.Rounds roundsOf(RoundStatistics rounds) {
        return new RunReport.Rounds(
                rounds.measured(),
                rounds.warmUp(),
                rounds.dropped(),
                rounds.text(),
                rounds.phases().stream()
                        .map(each -> new RunReport.RoundPhase(
                                each.rank(),
                                each.phase().text(),
                                RunClock.millis(each.min()),
                                RunClock.millis(each.median()),
                                RunClock.millis(each.p99())))
                        .toList());
    }

    private static RunReport.Durations durationsOf(TestResult result) {
        long collect = result.ends().values().stream()
                .mapToLong(ReportCollector::collectNanos)
                .max()
                .orElse(0);
        GroupPhases.Goldens goldens = result.phases().goldens();
        return new RunReport.Durations(
                goldens.happened() ? RunClock.millis(goldens.nanos()) : null,
                RunClock.millis(result.phases().compileNanos()),
                RunClock.millis(result.phases().reserveNanos()),
                RunClock.millis(result.phases().startNanos() + result.phases().bootstrapNanos()),
                RunClock.millis(Math.max(0, result.runNanos() - collect)),
                RunClock.millis(collect),
                RunClock.millis(result.verifyNanos()),
                0);
    }

    private static long collectNanos(RankEnd end) {
        return end.phases().stream()
                .filter(time -> time.phase() == Phase.COLLECT_OUTPUTS)
                .mapToLong(Phase.Time::nanos)
                .sum();
    }

    /** The first rank that knows what held all of them. */
    private static RunReport.@Nullable Hang hangOf(TestResult result) {
        for (RankEnd end : result.ends().values()) {
            if (end.outcome() instanceof RankOutcome.Failed failed
                    && !failed.standstill().isEmpty()) {
                return new RunReport.Hang(failed.standstill(), failed.waits());
            } else if (end.outcome() instanceof RankOutcome.Unfinished unfinished
                    && !unfinished.standstill().isEmpty()) {
                return new RunReport.Hang(unfinished.standstill(), unfinished.waits());
            }
        }
        return null;
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
            DeviceRef device = result.devices().get(rank);
            ranks.add(new RunReport.RankEntry(
                    rank,
                    device.id(),
                    end == null ? "not-run" : nameOf(end.outcome()),
                    end == null ? 0 : RunClock.millis(Math.max(0, end.heardNanos() - end.endedNanos())),
                    end == null ? null : messageOf(end.outcome()),
                    folder.relativize(result.logs().get(rank)).toString(),
                    end == null ? List.of() : end.goldens(),
                    end == null || end.leftOut().isEmpty() ? null : end.leftOut(),
                    end != null && end.outcome() instanceof RankOutcome.Failed failed
                            ? failed.phase().text()
                            : null,
                    phasesOf(result, end),
                    busyOf(result, rank),
                    end != null && isHere(end) && !(end.outcome() instanceof RankOutcome.NotRun)
                            ? clock.at(end.endedNanos())
                            : null,
                    spansOf(end),
                    end != null && end.outcome() instanceof RankOutcome.Failed failed
                            ? StackText.of(failed.cause())
                            : List.of(),
                    outputOf(result, rank),
                    device.isHere() ? null : device.node()));
        }
        return ranks;
    }

    private static List<RunReport.Busy> busyOf(TestResult result, int rank) {
        return result.timeline().map(TestTimeline::busy).orElse(List.of()).stream()
                .filter(use -> use.rank() == rank)
                .map(use -> new RunReport.Busy(use.lane(), Math.round(use.share() * SHARES) / SHARES))
                .toList();
    }

    private List<RunReport.PhaseTime> phasesOf(TestResult result, @Nullable RankEnd end) {
        List<RunReport.PhaseTime> phases = new ArrayList<>();
        GroupPhases.Goldens goldens = result.phases().goldens();
        if (goldens.happened()) {
            phases.add(new RunReport.PhaseTime(
                    Phase.GOLDENS.text(), clock.at(goldens.began()), RunClock.millis(goldens.nanos())));
        }
        if (result.phases().compiled()) {
            phases.add(new RunReport.PhaseTime(
                    Phase.COMPILE.text(),
                    clock.at(result.phases().compileBegan()),
                    RunClock.millis(result.phases().compileNanos())));
        }
        if (end != null) {
            long entered = end.spans().stream()
                    .filter(span -> span.phase() == Phase.RUN)
                    .mapToLong(Phase.Span::beginNanos)
                    .findFirst()
                    .orElse(Long.MAX_VALUE);
            boolean isInside = false;
            for (Phase.Time time : end.phases()) {
                isInside |= time.phase() == Phase.RUN;
                phases.add(new RunReport.PhaseTime(
                        time.phase().text(),
                        startOf(time.phase(), end, isInside ? entered : Long.MIN_VALUE),
                        RunClock.millis(time.nanos())));
            }
        }
        return List.copyOf(phases);
    }

    /** When the first part of a phase began, not before this moment: a barrier is passed before the test, and others in it. */
    private @Nullable Double startOf(Phase phase, RankEnd end, long earliest) {
        return end.spans().stream()
                .filter(span -> span.phase() == phase && span.beginNanos() >= earliest)
                .findFirst()
                .map(span -> clock.at(span.beginNanos()))
                .orElse(null);
    }

    private List<RunReport.PhaseTime> spansOf(@Nullable RankEnd end) {
        return end == null
                ? List.of()
                : end.spans().stream()
                        .map(span -> new RunReport.PhaseTime(
                                span.phase().text(),
                                clock.at(span.beginNanos()),
                                RunClock.millis(Math.max(0, endOf(span, end) - span.beginNanos()))))
                        .toList();
    }

    /** What the rank does before it reports the end of a test, such as to describe a failure, does not belong to the test. */
    private static long endOf(Phase.Span span, RankEnd end) {
        return span.phase() == Phase.RUN ? Math.min(span.endNanos(), end.endedNanos()) : span.endNanos();
    }

    /** Times of another node mean nothing here. */
    private static boolean isHere(RankEnd end) {
        return end.nodeTime().node().equals(DeviceRef.HERE);
    }

    private @Nullable String outputOf(TestResult result, int rank) {
        boolean wanted = result.verdict() instanceof Verdict.Failed || result.verdict() instanceof Verdict.Aborted;
        String text = wanted && rank < result.output().size() ? result.output().get(rank) : "";
        if (text.isEmpty() || outputLeft < OUTPUT_CHARS) {
            return null;
        }
        String kept = text.length() <= OUTPUT_CHARS ? text : text.substring(text.length() - OUTPUT_CHARS);
        outputLeft -= kept.length();
        return kept.length() == text.length() ? kept : kept.substring(kept.indexOf('\n') + 1);
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
