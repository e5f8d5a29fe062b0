package org.rankunit.engine.merge;

import java.util.List;
import org.rankunit.engine.control.RankOutcome;
import org.rankunit.golden.GoldenSummary;

/**
 * How a test ended on one rank, and when.
 *
 * @param heardNanos when the parent knew
 * @param leftOut what the rank did not tell because it is too much; empty for most
 */
public record RankEnd(
        RankOutcome outcome,
        List<GoldenSummary> goldens,
        long endedNanos,
        long verifyNanos,
        long heardNanos,
        String leftOut) {

    /** An end of which all is told. */
    public RankEnd(
            RankOutcome outcome, List<GoldenSummary> goldens, long endedNanos, long verifyNanos, long heardNanos) {
        this(outcome, goldens, endedNanos, verifyNanos, heardNanos, "");
    }

    /** An end that the parent found itself. */
    static RankEnd of(RankOutcome outcome) {
        long now = System.nanoTime();
        return new RankEnd(outcome, List.of(), now, 0, now);
    }
}
