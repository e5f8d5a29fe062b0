package org.rankunit.engine.merge.outcome;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.protocol.RankOutcome;

/**
 * The order of the ranks that failed by themselves, with the first cause first.
 *
 * <p>A crash comes before a failure, and a failure before a rank that did not finish. Among equals on one node the clock of that
 * node decides. The clocks of two nodes cannot be compared, so the node whose failure of that kind was received first comes first.
 */
final class CauseOrder {

    /** Failures of one kind on one node, which are ordered by one clock. */
    private record Series(int weight, String node) {

        static Series of(RankEnd end) {
            return new Series(CauseOrder.weight(end.outcome()), end.nodeTime().node());
        }
    }

    private CauseOrder() {}

    /** Sort the ranks that failed by themselves; ranks that were released are not causes. */
    static List<Integer> of(Map<Integer, RankEnd> ends) {
        Map<Series, Long> firstHeard = new HashMap<>();
        ends.values().forEach(end -> firstHeard.merge(Series.of(end), end.heardNanos(), Math::min));
        Comparator<RankEnd> order = Comparator.comparingInt((RankEnd end) -> weight(end.outcome()))
                .thenComparing(end -> firstHeard.getOrDefault(Series.of(end), Long.MAX_VALUE))
                .thenComparing(end -> end.nodeTime().node())
                .thenComparing(end -> end.nodeTime().nanos());
        return ends.entrySet().stream()
                .filter(each -> isCause(each.getValue().outcome()))
                .sorted(Map.Entry.comparingByValue(order))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isCause(RankOutcome outcome) {
        return outcome.isFailure() && !(outcome instanceof RankOutcome.Released);
    }

    private static int weight(RankOutcome outcome) {
        return outcome instanceof RankOutcome.Died ? 0 : outcome instanceof RankOutcome.Failed ? 1 : 2;
    }
}
