package org.rankunit.engine.merge;

import java.util.List;
import org.rankunit.engine.control.GoldenCheck;
import org.rankunit.engine.control.RankOutcome;

/** How a test ended on one rank, and when. */
public record RankEnd(RankOutcome outcome, List<GoldenCheck> goldens, long endedNanos, long verifyNanos) {

    /** An end that the parent found itself. */
    static RankEnd of(RankOutcome outcome) {
        return new RankEnd(outcome, List.of(), System.nanoTime(), 0);
    }
}
