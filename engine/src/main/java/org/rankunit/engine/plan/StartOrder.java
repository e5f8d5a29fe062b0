package org.rankunit.engine.plan;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * In which order classes are begun that run at the same time: what is long and wide comes first, so that at the end no
 * device is idle for long while others work.
 */
public final class StartOrder {

    private StartOrder() {}

    /**
     * Order classes by how many devices they take for how long, then by how long; of equal ones the first comes first. One
     * without a record counts as the median of the others. One that needs no ranks goes ahead of all, since it takes no time.
     *
     * @return the indices of all plans
     */
    public static List<Integer> of(List<ClassPlan> plans, Durations durations) {
        List<Cost> costs = plans.stream().map(plan -> Cost.of(plan, durations)).toList();
        List<Cost> known = costs.stream().filter(Cost::isKnown).toList();
        Cost unknown = new Cost(true, true, median(known, Cost::area), median(known, Cost::micros));
        List<Cost> filled = costs.stream()
                .map(cost -> cost.needsRanks && !cost.isKnown ? unknown : cost)
                .toList();
        return IntStream.range(0, plans.size())
                .boxed()
                .sorted(Comparator.comparing(filled::get, Cost.FIRST))
                .toList();
    }

    private static long median(List<Cost> costs, ToLongFunction<Cost> part) {
        long[] sorted = costs.stream().mapToLong(part).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
    }

    /** What the groups of a class take, one after the other; {@code area} is in microseconds of one device. */
    private record Cost(boolean needsRanks, boolean isKnown, long area, long micros) {

        static final Comparator<Cost> FIRST = Comparator.comparing(Cost::needsRanks)
                .thenComparing(Cost::area, Comparator.reverseOrder())
                .thenComparing(Cost::micros, Comparator.reverseOrder());

        static Cost of(ClassPlan plan, Durations durations) {
            List<GroupPlan> groups = plan.groups();
            boolean known = false;
            long area = 0;
            long micros = 0;
            for (GroupPlan group : groups) {
                OptionalLong usual = durations.usual(group);
                known |= usual.isPresent();
                area += usual.orElse(0) * group.ranks();
                micros += usual.orElse(0);
            }
            return new Cost(!groups.isEmpty(), known, area, micros);
        }
    }
}
