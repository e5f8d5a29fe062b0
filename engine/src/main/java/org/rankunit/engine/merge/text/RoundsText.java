package org.rankunit.engine.merge.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.rankunit.engine.protocol.FromRank;

/** Says in which of its rounds a test failed. */
public final class RoundsText {

    private RoundsText() {}

    /** A line for the ranks that failed in the same round; {@code failed} are ranks that failed by themselves. */
    public static List<String> of(Map<Integer, FromRank.Rounds> rounds, List<Integer> failed) {
        List<Integer> known = failed.stream().filter(rounds::containsKey).toList();
        List<String> lines = new ArrayList<>();
        RankList.byText(known, rank -> round(Objects.requireNonNull(rounds.get(rank))))
                .forEach((round, ranks) -> lines.add(RankList.of(ranks) + " failed in " + round));
        return lines;
    }

    private static String round(FromRank.Rounds rounds) {
        int total = rounds.measured() + rounds.warmUp();
        return "round " + Math.min(rounds.done() + 1, total) + " of " + total
                + (rounds.done() < rounds.warmUp() ? ", a warm-up round" : "");
    }
}
