package org.rankunit.engine.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.rankunit.pool.queue.JobOrder;

/**
 * The order in which concurrently running classes start: long classes with many ranks start early, so that at the end no device is
 * idle for long while others work.
 */
public final class StartOrder {

    private StartOrder() {}

    /**
     * Order classes as {@link JobOrder} does; equal classes keep their order. A class without a record counts as long as the median
     * of the others. A class that needs no ranks comes before all others, since it takes no time.
     *
     * @param room number of ranks that can work at the same time
     * @return the indices of all plans
     */
    public static List<Integer> of(List<ClassPlan> plans, Durations durations, int room) {
        List<Cost> costs = plans.stream().map(plan -> Cost.of(plan, durations)).toList();
        List<Integer> order = new ArrayList<>(indices(costs, true));
        List<Integer> working = indices(costs, false);
        long[] known = costs.stream()
                .filter(cost -> cost.isKnown)
                .mapToLong(cost -> cost.micros)
                .sorted()
                .toArray();
        if (known.length == 0) {
            order.addAll(working);
            return order;
        }
        long median = known[known.length / 2];
        List<JobOrder.Job> jobs =
                working.stream().map(i -> costs.get(i).job(median)).toList();
        JobOrder.of(jobs, Math.max(1, room)).forEach(place -> order.add(working.get(place)));
        return order;
    }

    private static List<Integer> indices(List<Cost> costs, boolean withoutRanks) {
        return IntStream.range(0, costs.size())
                .filter(i -> (costs.get(i).ranks == 0) == withoutRanks)
                .boxed()
                .toList();
    }

    /**
     * The cost of the groups of a class, which run one after the other.
     *
     * @param ranks number of ranks of the largest group; 0 if there is none
     * @param area in device-microseconds
     */
    private record Cost(int ranks, boolean isKnown, long area, long micros) {

        static Cost of(ClassPlan plan, Durations durations) {
            boolean known = false;
            int ranks = 0;
            long area = 0;
            long micros = 0;
            for (GroupPlan group : plan.groups()) {
                OptionalLong usual = durations.usual(group);
                known |= usual.isPresent();
                ranks = Math.max(ranks, group.ranks());
                area += usual.orElse(0) * group.ranks();
                micros += usual.orElse(0);
            }
            return new Cost(ranks, known, area, micros);
        }

        /** The job of this class, with the average number of ranks over its time. */
        JobOrder.Job job(long median) {
            if (!isKnown) {
                return new JobOrder.Job(ranks, Math.max(1, median));
            }
            long duration = Math.max(1, micros);
            return new JobOrder.Job((int) Math.max(1, (area + duration - 1) / duration), duration);
        }
    }
}
