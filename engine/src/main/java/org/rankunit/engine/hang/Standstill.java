package org.rankunit.engine.hang;

import java.util.List;
import java.util.SortedMap;
import org.rankunit.engine.protocol.RankOutcome.RankWait;

/**
 * What holds the ranks of a hang.
 *
 * @param sentence for people, as worded by {@link HangSummary}
 * @param waits who waits for whom, as far as it is known
 */
public record Standstill(String sentence, List<RankWait> waits) {

    /** Nothing is known. */
    public static final Standstill UNKNOWN = new Standstill("", List.of());

    public Standstill {
        waits = List.copyOf(waits);
    }

    static Standstill of(SortedMap<Integer, HangSummary.Position> positions) {
        return new Standstill(HangSummary.sentence(positions), HangSummary.waits(positions));
    }
}
