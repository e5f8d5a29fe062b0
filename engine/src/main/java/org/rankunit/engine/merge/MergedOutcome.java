package org.rankunit.engine.merge;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.opentest4j.TestAbortedException;
import org.rankunit.engine.control.Failure;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.engine.discovery.XmlText;

/**
 * Makes one verdict of the outcomes of all ranks: the first cause leads, its consequences follow, marked as such.
 *
 * <p>A crash beats an assertion, since ranks that talk to a dead one fail in many ways; among equals the earliest leads; a
 * rank that was released by another is never the cause.
 */
final class MergedOutcome {

    private final String title;
    private final int rankCount;
    private final SortedMap<Integer, RankEnd> ends;
    private final List<Path> logs;

    /**
     * Prepare a merge.
     *
     * @param title names test and variant
     * @param ends how each rank ended; a rank that is missing never came to the test
     * @param logs the log file of each rank
     */
    MergedOutcome(String title, int rankCount, SortedMap<Integer, RankEnd> ends, List<Path> logs) {
        this.title = title;
        this.rankCount = rankCount;
        this.ends = ends;
        this.logs = logs;
    }

    Verdict verdict() {
        if (failed()) {
            return new Verdict.Failed(failure());
        } else if (all(RankOutcome.Passed.class)) {
            return new Verdict.Passed();
        }
        Map<String, List<Integer>> kinds = kinds("did not run it");
        if (all(RankOutcome.Skipped.class)) {
            return new Verdict.Skipped(kinds.size() == 1 ? reasonOf(0) : summary(kinds));
        } else if (ends.size() < rankCount) {
            return new Verdict.Failed(
                    RankFailure.withoutStack(title + " did not end on every rank: " + summary(kinds)));
        } else if (!ranksThat(RankOutcome.Skipped.class).isEmpty()) {
            return new Verdict.Failed(RankFailure.withoutStack(title + ": the ranks disagree on whether to run it: "
                    + summary(kinds("was about to run it"))
                    + ". A condition must hold on all ranks or on none; for what one rank alone can find out there are"
                    + " assumptions."));
        }
        return new Verdict.Aborted(new TestAbortedException(XmlText.of(summary(kinds))));
    }

    /** Whether a rank failed, other than as a consequence of an assumption or condition on another one. */
    boolean failed() {
        return ends.values().stream()
                .map(RankEnd::outcome)
                .anyMatch(outcome -> outcome.isFailure()
                        && !(outcome instanceof RankOutcome.Released released && gaveUp(released.failedRank())));
    }

    private boolean gaveUp(int rank) {
        RankEnd end = ends.get(rank);
        return end != null && end.outcome().isLeft();
    }

    /** The ranks by what is to be said of them; first causes, then consequences. */
    private Map<String, List<Integer>> kinds(String notRun) {
        Map<String, List<Integer>> kinds = new LinkedHashMap<>();
        List<Integer> released = ranksThat(RankOutcome.Released.class);
        for (int rank = 0; rank < rankCount; rank++) {
            if (!released.contains(rank)) {
                kinds.computeIfAbsent(mildly(rank, notRun), k -> new ArrayList<>())
                        .add(rank);
            }
        }
        if (!released.isEmpty()) {
            kinds.put(released.size() == 1 ? "was released" : "were released", released);
        }
        return kinds;
    }

    private static String summary(Map<String, List<Integer>> kinds) {
        return kinds.size() == 1
                ? kinds.keySet().iterator().next()
                : kinds.entrySet().stream()
                        .map(kind -> ranks(kind.getValue()) + " " + kind.getKey())
                        .collect(Collectors.joining("; "));
    }

    private boolean all(Class<? extends RankOutcome> kind) {
        return ends.size() == rankCount && ends.values().stream().allMatch(end -> kind.isInstance(end.outcome()));
    }

    private String reasonOf(int rank) {
        return Objects.requireNonNull(ends.get(rank)).outcome() instanceof RankOutcome.Skipped skipped
                ? skipped.reason()
                : "";
    }

    private String mildly(int rank, String notRun) {
        RankEnd end = ends.get(rank);
        if (end == null || end.outcome() instanceof RankOutcome.NotRun) {
            return notRun;
        } else if (end.outcome() instanceof RankOutcome.Skipped skipped) {
            return "skipped it: " + skipped.reason();
        } else if (end.outcome() instanceof RankOutcome.Aborted aborted) {
            String message = aborted.cause().message();
            return "gave up: " + (message == null ? aborted.cause().type() : message);
        }
        return "passed";
    }

    private Throwable failure() {
        List<Integer> failed = ends.entrySet().stream()
                .filter(e -> isCause(e.getValue().outcome()))
                .sorted(Comparator.comparingInt((Map.Entry<Integer, RankEnd> e) ->
                                weight(e.getValue().outcome()))
                        .thenComparingLong(e -> e.getValue().endedNanos()))
                .map(Map.Entry::getKey)
                .toList();
        List<Integer> leading = failed.isEmpty() ? ranksThat(RankOutcome.Released.class) : failed;
        RankOutcome first = outcome(leading.get(0));
        String message = title + " failed on " + ranks(leading.stream().sorted().toList()) + "\n\n" + standstill(first)
                + details(leading);
        if (leading.size() == 1) {
            return first instanceof RankOutcome.Failed cause
                    ? RankFailure.ofOneRank(message, cause.cause())
                    : RankFailure.withoutStack(message);
        }
        return RankFailure.ofSeveralRanks(
                message,
                first instanceof RankOutcome.Failed cause ? cause.cause() : null,
                leading.stream().map(this::throwableOf).toList());
    }

    /** What all ranks were waiting for, where that is the cause; any other failure comes first. */
    private static String standstill(RankOutcome first) {
        String sentence = first instanceof RankOutcome.Unfinished unfinished
                ? unfinished.standstill()
                : first instanceof RankOutcome.Failed failed ? failed.standstill() : "";
        return sentence.isEmpty() ? "" : indented(sentence) + "\n";
    }

    private Throwable throwableOf(int rank) {
        RankOutcome outcome = outcome(rank);
        String message = "rank " + rank + ": " + headline(outcome);
        return outcome instanceof RankOutcome.Failed failed
                ? RankFailure.ofOneRank(message, failed.cause())
                : RankFailure.withoutStack(message);
    }

    private RankOutcome outcome(int rank) {
        return Objects.requireNonNull(ends.get(rank)).outcome();
    }

    private static boolean isCause(RankOutcome outcome) {
        return outcome.isFailure() && !(outcome instanceof RankOutcome.Released);
    }

    private static int weight(RankOutcome outcome) {
        return outcome instanceof RankOutcome.Died ? 0 : outcome instanceof RankOutcome.Failed ? 1 : 2;
    }

    private String details(List<Integer> leading) {
        StringBuilder text = new StringBuilder();
        grouped(leading, rank -> headline(outcome(rank))).forEach((headline, ranks) -> {
            boolean alone = ranks.size() == leading.size();
            text.append(indented(alone ? headline : ranks(ranks) + ": " + headline))
                    .append('\n');
        });
        List<Integer> released = ranksThat(RankOutcome.Released.class).stream()
                .filter(rank -> !leading.contains(rank))
                .toList();
        grouped(released, rank -> "released" + from(outcome(rank)) + " because " + whatReleased(releasedBy(rank)))
                .forEach((why, ranks) -> text.append("  ")
                        .append(ranks(ranks))
                        .append(ranks.size() == 1 ? " was " : " were ")
                        .append(why)
                        .append('\n'));
        List<Integer> gaveUp = ranksThat(RankOutcome.Aborted.class);
        grouped(gaveUp, rank -> mildly(rank, ""))
                .forEach((what, ranks) -> text.append("  ")
                        .append(ranks(ranks))
                        .append(' ')
                        .append(what)
                        .append('\n'));
        List<Integer> passed = ranksThat(RankOutcome.Passed.class);
        if (!passed.isEmpty()) {
            text.append("  ").append(ranks(passed)).append(" passed\n");
        }
        ends.forEach((rank, end) -> {
            if (!end.leftOut().isEmpty()) {
                text.append("  rank ")
                        .append(rank)
                        .append(": ")
                        .append(end.leftOut())
                        .append(" left out\n");
            }
        });
        if (leading.get(0) < logs.size()) {
            text.append("  log of rank ")
                    .append(leading.get(0))
                    .append(": ")
                    .append(logs.get(leading.get(0)))
                    .append('\n');
        }
        return text.toString();
    }

    private String whatReleased(int rank) {
        return "rank " + rank + (gaveUp(rank) ? " gave up" : " failed");
    }

    private static String from(RankOutcome outcome) {
        return outcome instanceof RankOutcome.Released released
                        && !released.from().isEmpty()
                ? " from " + released.from()
                : "";
    }

    private int releasedBy(int rank) {
        return outcome(rank) instanceof RankOutcome.Released released ? released.failedRank() : -1;
    }

    /** Put ranks together of which the same is to be said; the order of the first ones stays. */
    private static Map<String, List<Integer>> grouped(List<Integer> ranks, IntFunction<String> text) {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        for (int rank : ranks) {
            groups.computeIfAbsent(text.apply(rank), t -> new ArrayList<>()).add(rank);
        }
        groups.values().forEach(Collections::sort);
        return groups;
    }

    private static String headline(RankOutcome outcome) {
        if (outcome instanceof RankOutcome.Failed failed) {
            return headline(failed.cause());
        } else if (outcome instanceof RankOutcome.Released released) {
            return "released" + from(released) + " because rank " + released.failedRank() + " failed: "
                    + headline(released.consequence());
        } else if (outcome instanceof RankOutcome.Died died) {
            return "its process " + died.how() + withLog(died.logTail());
        } else if (outcome instanceof RankOutcome.Unfinished unfinished) {
            return unfinished.why() + withLog(unfinished.logTail());
        }
        return outcome.toString();
    }

    private static String headline(Failure failure) {
        String message = failure.message();
        return failure.assertion() && message != null && !message.isBlank() ? message : failure.headline();
    }

    private static String withLog(String tail) {
        return tail.isBlank() ? "" : "; its last lines:\n" + indented(tail);
    }

    private List<Integer> ranksThat(Class<? extends RankOutcome> kind) {
        return ends.entrySet().stream()
                .filter(e -> kind.isInstance(e.getValue().outcome()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String indented(String text) {
        return text.lines().map(line -> line.isEmpty() ? "" : "  " + line).collect(Collectors.joining("\n"));
    }

    static String ranks(List<Integer> ranks) {
        return (ranks.size() == 1 ? "rank " : "ranks ")
                + ranks.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
