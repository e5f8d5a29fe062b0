package org.rankunit.engine.merge.outcome;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.opentest4j.TestAbortedException;
import org.rankunit.engine.discovery.XmlText;
import org.rankunit.engine.merge.text.OutcomeText;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * Merges the outcomes of all ranks into one verdict: the first cause comes first, followed by its consequences, marked as such.
 *
 * <p>A crash takes precedence over an assertion, since ranks that communicate with a dead rank fail in many ways. Among equals
 * the earliest comes first ({@link CauseOrder}). A rank that was released because of another is never the cause.
 */
public final class MergedOutcome {

    private final int worldSize;
    private final SortedMap<Integer, RankEnd> ends;
    private final OutcomeText text;
    private final boolean hasFindings;

    /**
     * Prepare a merge.
     *
     * @param title name of the test and variant
     * @param ends how each rank ended; a rank that is missing never reached the test
     * @param devices the device of each rank
     * @param logs the log file of each rank
     * @param findings what the simulator found fault with, a text for each
     * @param timeline the file with the timeline of the test, if one was written
     * @param notes lines about how the test was run: its seed, and the round in which it failed
     */
    public MergedOutcome(
            String title,
            int worldSize,
            SortedMap<Integer, RankEnd> ends,
            List<DeviceRef> devices,
            List<Path> logs,
            List<String> findings,
            Optional<Path> timeline,
            List<String> notes) {
        this.worldSize = worldSize;
        this.hasFindings = !findings.isEmpty();
        this.ends = ends;
        SortedMap<Integer, RankOutcome> outcomes = new TreeMap<>();
        SortedMap<Integer, String> leftOut = new TreeMap<>();
        ends.forEach((rank, end) -> {
            outcomes.put(rank, end.outcome());
            if (!end.leftOut().isEmpty()) {
                leftOut.put(rank, end.leftOut());
            }
        });
        this.text = new OutcomeText(title, worldSize, outcomes, leftOut, devices, logs, findings, timeline, notes);
    }

    /** The verdict over all ranks. The test fails if a rank failed or never reached it, or if only some ranks skipped it. */
    public Verdict verdict() {
        if (failed()) {
            return new Verdict.Failed(failure());
        } else if (all(RankOutcome.Passed.class)) {
            return passed();
        } else if (all(RankOutcome.Skipped.class)) {
            return new Verdict.Skipped(text.skipped());
        } else if (ends.size() < worldSize) {
            return new Verdict.Failed(RankFailure.withoutStack(text.incomplete()));
        } else if (!ranksThat(RankOutcome.Skipped.class).isEmpty()) {
            return new Verdict.Failed(RankFailure.withoutStack(text.disagreement()));
        }
        return new Verdict.Aborted(new TestAbortedException(XmlText.of(text.aborted())));
    }

    /** A test that has passed on all ranks may have done something wrong, or have verified too little. */
    private Verdict passed() {
        if (hasFindings) {
            return new Verdict.Failed(RankFailure.withoutStack(text.found()));
        }
        List<String> unverified = verifiedNowhere();
        return unverified.isEmpty()
                ? new Verdict.Passed()
                : new Verdict.Failed(RankFailure.withoutStack(text.unverified(unverified)));
    }

    private List<String> verifiedNowhere() {
        List<String> left = new ArrayList<>(ends.values().iterator().next().unverified());
        ends.values().forEach(end -> left.retainAll(end.unverified()));
        return left;
    }

    /** Whether a rank failed for a reason other than an assumption or condition on another rank. */
    public boolean failed() {
        return ends.values().stream()
                .map(RankEnd::outcome)
                .anyMatch(outcome -> outcome.isFailure()
                        && !(outcome instanceof RankOutcome.Released released && gaveUp(released.failedRank())));
    }

    private boolean gaveUp(int rank) {
        RankEnd end = ends.get(rank);
        return end != null && end.outcome().isLeft();
    }

    private boolean all(Class<? extends RankOutcome> kind) {
        return ends.size() == worldSize && ends.values().stream().allMatch(end -> kind.isInstance(end.outcome()));
    }

    private Throwable failure() {
        List<Integer> failed = CauseOrder.of(ends);
        List<Integer> leading = failed.isEmpty() ? ranksThat(RankOutcome.Released.class) : failed;
        RankOutcome first = outcome(leading.get(0));
        Failure cause = first instanceof RankOutcome.Failed f ? f.cause() : null;
        String message = text.failure(leading);
        if (leading.size() > 1) {
            return RankFailure.ofSeveralRanks(
                    message, cause, leading.stream().map(this::throwableOf).toList());
        }
        return cause == null ? RankFailure.withoutStack(message) : RankFailure.ofOneRank(message, cause);
    }

    private Throwable throwableOf(int rank) {
        String message = text.failureOf(rank);
        return outcome(rank) instanceof RankOutcome.Failed failed
                ? RankFailure.ofOneRank(message, failed.cause())
                : RankFailure.withoutStack(message);
    }

    private RankOutcome outcome(int rank) {
        return Objects.requireNonNull(ends.get(rank)).outcome();
    }

    private List<Integer> ranksThat(Class<? extends RankOutcome> kind) {
        return ends.entrySet().stream()
                .filter(e -> kind.isInstance(e.getValue().outcome()))
                .map(Map.Entry::getKey)
                .toList();
    }
}
