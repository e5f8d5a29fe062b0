package org.rankunit.pool.queue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.IntStream;
import org.apiguardian.api.API;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.Inventory;

/**
 * Orders jobs of known duration so that devices are not idle for long at the end.
 *
 * <p>List scheduling in the order of longest processing time first (LPT; R. L. Graham, Bounds on Multiprocessing Timing
 * Anomalies, SIAM J. Appl. Math. 17(2), 1969), generalised to jobs that need several devices. Several orders, each a
 * different mix of longest first and widest first, are simulated with the same rule that the pool's queue follows
 * ({@link Backfill}); the one that finishes first is used. Stateless.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class JobOrder {

    /** A job on {@code width} devices at once, for {@code duration}, in any unit. */
    public record Job(int width, long duration) {

        /** @throws IllegalArgumentException if a component is not positive */
        public Job {
            if (width < 1 || duration < 1) {
                throw new IllegalArgumentException("a job of " + duration + " on " + width + " devices takes nothing");
            }
        }
    }

    private record Ending(long moment, BitSet devices) {}

    /**
     * With more jobs than this, the first order is used without trying the others. Trying all orders takes about a
     * quarter of a second for this many jobs, and the time grows with the square of their number.
     */
    private static final int MAX_TRIED = 2_000;

    private static final List<Comparator<Job>> ORDERS = List.of(
            byWeight(2),
            byWeight(0),
            byWeight(1),
            byWeight(4),
            Comparator.<Job>comparingInt(job -> -job.width).thenComparingLong(job -> -job.duration));

    private JobOrder() {}

    private static Comparator<Job> byWeight(double exponent) {
        return Comparator.comparingDouble(job -> -job.duration * Math.pow(job.width, exponent));
    }

    /**
     * Order jobs.
     *
     * @param devices number of devices; wider jobs count as this wide
     * @return indexes of the jobs in starting order; equal jobs keep their order
     */
    public static List<Integer> of(List<Job> jobs, int devices) {
        List<Integer> best = List.of();
        long shortest = Long.MAX_VALUE;
        for (Comparator<Job> order : ORDERS) {
            List<Integer> places = IntStream.range(0, jobs.size())
                    .boxed()
                    .sorted((a, b) -> order.compare(jobs.get(a), jobs.get(b)))
                    .toList();
            if (jobs.size() > MAX_TRIED) {
                return places;
            }
            long makespan = makespan(places.stream().map(jobs::get).toList(), devices);
            if (makespan < shortest) {
                shortest = makespan;
                best = places;
            }
        }
        return best;
    }

    /** Compute how long the jobs take in this order on identical devices, with backfill. */
    public static long makespan(List<Job> jobs, int devices) {
        DeviceChoice choice = new DeviceChoice(Inventory.ofFirst(devices, "any"));
        BitSet free = new BitSet();
        free.set(0, devices);
        PriorityQueue<Ending> running = new PriorityQueue<>(Comparator.comparingLong(Ending::moment));
        List<Backfill.Waiting> waiting = new ArrayList<>();
        jobs.forEach(job -> waiting.add(new Backfill.Waiting(choice, Math.min(job.width, devices), job.duration)));
        long now = 0;
        long end = 0;
        while (!waiting.isEmpty()) {
            end = Math.max(end, begin(waiting, free, running, now));
            Ending next = running.remove();
            now = next.moment;
            free.or(next.devices);
            while (!running.isEmpty() && running.element().moment == now) {
                free.or(running.remove().devices);
            }
        }
        return end;
    }

    /** Start the jobs that may start; returns the latest end among them. */
    private static long begin(List<Backfill.Waiting> waiting, BitSet free, PriorityQueue<Ending> running, long now) {
        List<Backfill.Running> held = running.stream()
                .map(ending -> new Backfill.Running(ending.devices, ending.moment))
                .toList();
        Map<Integer, BitSet> starts = Backfill.plan(now, free, held, waiting).starts();
        long latest = 0;
        for (Map.Entry<Integer, BitSet> start : starts.entrySet()) {
            long end = now + waiting.get(start.getKey()).expected();
            free.andNot(start.getValue());
            running.add(new Ending(end, start.getValue()));
            latest = Math.max(latest, end);
        }
        // From the back, so that the earlier indexes stay valid.
        starts.keySet().stream().sorted(Comparator.reverseOrder()).forEach(place -> waiting.remove((int) place));
        return latest;
    }
}
