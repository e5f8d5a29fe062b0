package org.rankunit.engine.merge.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * The text that describes how the ranks of one test ended. Immutable.
 *
 * @param title name of the test and its variant
 * @param outcomes by rank; a missing rank never reached the test
 * @param leftOut what a rank did not report because it was too much; a missing rank reported everything
 * @param devices the device of each rank
 * @param logs the log file of each rank
 * @param findings what the simulator found fault with, a text for each
 * @param timeline the file with the timeline of the test, if one was written
 * @param notes lines about how the test was run: its seed, and the round in which it failed
 */
public record OutcomeText(
        String title,
        int worldSize,
        SortedMap<Integer, RankOutcome> outcomes,
        SortedMap<Integer, String> leftOut,
        List<DeviceRef> devices,
        List<Path> logs,
        List<String> findings,
        Optional<Path> timeline,
        List<String> notes) {

    /** Stands for the ranks that failed; in no text of a user. */
    private static final String RELEASERS = "\0";

    /** Of many findings, so many are shown. */
    private static final int MAX_FINDINGS = 5;

    /** Explain why the test was skipped on every rank. */
    public String skipped() {
        Map<String, List<Integer>> kinds = kinds("did not run it");
        return kinds.size() == 1 && outcomes.get(0) instanceof RankOutcome.Skipped skipped
                ? skipped.reason()
                : summary(kinds);
    }

    /** Describe which ranks aborted the test, and why. */
    public String aborted() {
        return summary(kinds("did not run it"));
    }

    /** Describe that some ranks never reached the end of the test. */
    public String incomplete() {
        return title + " did not end on every rank: " + summary(kinds("did not run it"));
    }

    /** Describe that only some ranks skipped the test. */
    public String disagreement() {
        return title + ": the ranks disagree on whether to run it: " + summary(kinds("was about to run it"))
                + ". A condition must hold on all ranks or on none; for what one rank alone can find out there are"
                + " assumptions.";
    }

    /**
     * Describe the failure of the whole test.
     *
     * @param leading the ranks that are its cause, the first cause first; not empty
     */
    public String failure(List<Integer> leading) {
        List<Integer> sorted = leading.stream().sorted().toList();
        return title + " failed on " + RankList.of(sorted) + nodesOf(sorted) + "\n\n" + hang(outcome(leading.get(0)))
                + details(leading);
    }

    /** Name the nodes of ranks in parentheses, if these are not on this machine. */
    private String nodesOf(List<Integer> ranks) {
        String nodes = ranks.stream()
                .map(rank -> devices.get(rank).node())
                .filter(node -> !node.equals(DeviceRef.HERE))
                .distinct()
                .collect(Collectors.joining(", "));
        return nodes.isEmpty() ? "" : " (" + nodes + ")";
    }

    /** Describe what the simulator found fault with, although the test passed on all ranks. */
    public String found() {
        StringBuilder text = new StringBuilder(title + " failed the simulator's checks; all ranks passed\n\n");
        appendFindings(text);
        appendEnd(text);
        return text.toString();
    }

    /** Describe what no rank has verified, although the test passed on all of them. */
    public String unverified(List<String> outputs) {
        StringBuilder text = new StringBuilder(title + " left outputs unverified; all ranks passed\n\n");
        outputs.forEach(name -> line(
                text,
                "no rank compared the output '" + name + "' with a golden. Compare it: Golden.of(\"" + name
                        + "\", ...).verify(rank.buffer(\"" + name
                        + "\")). Or declare it with unverified = true, if the test checks it in another way."));
        appendEnd(text);
        return text.toString();
    }

    private void appendEnd(StringBuilder text) {
        timeline.ifPresent(file -> line(text, "timeline: " + file));
        notes.forEach(line -> line(text, line));
    }

    private void appendFindings(StringBuilder text) {
        findings.stream().limit(MAX_FINDINGS).forEach(finding -> line(text, finding));
        if (findings.size() > MAX_FINDINGS) {
            line(text, "and " + (findings.size() - MAX_FINDINGS) + " more");
        }
    }

    /** Describe the failure of one rank. */
    public String failureOf(int rank) {
        return "rank " + rank + ": " + headline(outcome(rank));
    }

    /** What all ranks were waiting for, if a hang is the cause. */
    private static String hang(RankOutcome first) {
        String sentence = first instanceof RankOutcome.Unfinished unfinished
                ? unfinished.standstill()
                : first instanceof RankOutcome.Failed failed ? failed.standstill() : "";
        return sentence.isEmpty() ? "" : indented(sentence) + "\n";
    }

    private String details(List<Integer> leading) {
        StringBuilder text = new StringBuilder();
        RankList.byText(leading, rank -> headline(outcome(rank))).forEach((headline, ranks) -> {
            boolean alone = ranks.size() == leading.size();
            // Messages of AssertJ start with an empty line.
            text.append(indented(alone ? headline.replaceFirst("^\\R+", "") : RankList.of(ranks) + ": " + headline))
                    .append('\n');
        });
        List<Integer> released = ranksThat(RankOutcome.Released.class).stream()
                .filter(rank -> !leading.contains(rank))
                .toList();
        RankList.byText(released, this::release)
                .forEach((what, ranks) -> line(
                        text,
                        RankList.of(ranks)
                                + (ranks.size() == 1 ? " was " : " were ")
                                + what.replace(RELEASERS, RankList.of(releasers(ranks)))));
        RankList.byText(ranksThat(RankOutcome.Aborted.class), rank -> mildly(rank, ""))
                .forEach((what, ranks) -> line(text, RankList.of(ranks) + " " + what));
        List<Integer> passed = ranksThat(RankOutcome.Passed.class);
        if (!passed.isEmpty()) {
            line(text, RankList.of(passed) + " passed");
        }
        leftOut.forEach((rank, what) -> line(text, "rank " + rank + ": " + what + " left out"));
        appendFindings(text);
        int first = leading.get(0);
        if (first < logs.size()) {
            line(text, "log of rank " + first + ": " + logs.get(first));
        }
        appendEnd(text);
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append("  ").append(line).append('\n');
    }

    /** Without the ranks that failed, so that released ranks are one line even if they heard of different failures first. */
    private String release(int rank) {
        RankOutcome.Released released = released(rank);
        RankOutcome cause = outcomes.get(released.failedRank());
        return "released" + from(released) + " because " + RELEASERS
                + (cause != null && cause.isLeft() ? " gave up" : " failed");
    }

    private List<Integer> releasers(List<Integer> released) {
        return released.stream()
                .map(rank -> released(rank).failedRank())
                .distinct()
                .sorted()
                .toList();
    }

    private RankOutcome.Released released(int rank) {
        return (RankOutcome.Released) outcome(rank);
    }

    private static String from(RankOutcome.Released released) {
        return released.from().isEmpty() ? "" : " from " + released.from();
    }

    private static String headline(RankOutcome outcome) {
        if (outcome instanceof RankOutcome.Failed failed) {
            return namedPhase(failed.phase()) + headline(failed.cause());
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

    /** The body of a test needs no mention, and the failures of barriers and goldens say themselves what they are about. */
    private static String namedPhase(Phase phase) {
        return phase == Phase.RUN || phase == Phase.BARRIER || phase == Phase.VERIFY
                ? ""
                : "in the phase '" + phase.text() + "': ";
    }

    private static String headline(Failure failure) {
        String message = failure.message();
        return failure.assertion() && message != null && !message.isBlank() ? message : failure.headline();
    }

    private static String withLog(String tail) {
        return tail.isBlank() ? "" : "; its last lines:\n" + indented(tail);
    }

    /** The ranks grouped by the text that describes them; first causes, then consequences. */
    private Map<String, List<Integer>> kinds(String notRun) {
        Map<String, List<Integer>> kinds = new LinkedHashMap<>();
        List<Integer> released = ranksThat(RankOutcome.Released.class);
        for (int rank = 0; rank < worldSize; rank++) {
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
                        .map(kind -> RankList.of(kind.getValue()) + " " + kind.getKey())
                        .collect(Collectors.joining("; "));
    }

    /** The text for a rank that did not fail. */
    private String mildly(int rank, String notRun) {
        RankOutcome outcome = outcomes.get(rank);
        if (outcome == null || outcome instanceof RankOutcome.NotRun) {
            return notRun;
        } else if (outcome instanceof RankOutcome.Skipped skipped) {
            return "skipped it: " + skipped.reason();
        } else if (outcome instanceof RankOutcome.Aborted aborted) {
            String message = aborted.cause().message();
            return "gave up: " + (message == null ? aborted.cause().type() : message);
        }
        return "passed";
    }

    private RankOutcome outcome(int rank) {
        return Objects.requireNonNull(outcomes.get(rank));
    }

    private List<Integer> ranksThat(Class<? extends RankOutcome> kind) {
        return outcomes.entrySet().stream()
                .filter(e -> kind.isInstance(e.getValue()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static String indented(String text) {
        return text.lines().map(line -> line.isEmpty() ? "" : "  " + line).collect(Collectors.joining("\n"));
    }
}
