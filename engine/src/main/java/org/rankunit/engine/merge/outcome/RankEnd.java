package org.rankunit.engine.merge.outcome;

import java.util.List;
import org.rankunit.engine.protocol.DeviceRef;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;
import org.rankunit.engine.protocol.RankOutcome;
import org.rankunit.golden.GoldenSummary;

/**
 * How a test ended on one rank, and when.
 *
 * @param endedNanos when it ended, by the clock of the parent; if the rank runs on another node, when the parent learned of it
 * @param heardNanos when the parent learned of it
 * @param leftOut what the rank did not report because it was too much; empty for most
 * @param nodeTime when it ended, by the clock of the rank's node
 * @param phases the phases of the test on this rank, in the order in which they began; empty if it was not entered
 * @param spans when parts of those phases were, by the clock of the parent; empty if that is not known
 * @param unverified the outputs that the test has not verified on this rank
 */
public record RankEnd(
        RankOutcome outcome,
        List<GoldenSummary> goldens,
        long endedNanos,
        long verifyNanos,
        long heardNanos,
        String leftOut,
        NodeTime nodeTime,
        List<Phase.Time> phases,
        List<Phase.Span> spans,
        List<String> unverified) {

    /**
     * A moment by {@link System#nanoTime()} of one node. Such a time can only be compared with others of the same node; comparing
     * times of two nodes is meaningless.
     */
    public record NodeTime(String node, long nanos) {}

    /** An end on a rank of the parent's own node, with nothing left out. */
    public RankEnd(
            RankOutcome outcome, List<GoldenSummary> goldens, long endedNanos, long verifyNanos, long heardNanos) {
        this(
                outcome,
                goldens,
                endedNanos,
                verifyNanos,
                heardNanos,
                "",
                new NodeTime(DeviceRef.HERE, endedNanos),
                List.of(),
                List.of(),
                List.of());
    }

    /** An end that a rank on {@code node} has just reported. */
    public static RankEnd told(FromRank.Ended ended, String node) {
        long now = System.nanoTime();
        return new RankEnd(
                ended.outcome(),
                ended.goldens(),
                node.equals(DeviceRef.HERE) ? ended.endedNanos() : now,
                ended.verifyNanos(),
                now,
                ended.leftOut(),
                new NodeTime(node, ended.endedNanos()),
                ended.phases(),
                node.equals(DeviceRef.HERE) ? ended.spans() : List.of(),
                ended.unverified());
    }

    /** An end that the parent determined itself. */
    public static RankEnd of(RankOutcome outcome) {
        long now = System.nanoTime();
        return new RankEnd(outcome, List.of(), now, 0, now);
    }
}
