package org.rankunit.benchmarks.pool;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.Random;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.pool.queue.JobOrder;
import org.rankunit.pool.queue.JobOrder.Job;

/**
 * How long generated suites take, as a ratio to what no order could beat. Reckoned, so the same on every machine.
 *
 * <p>The bound takes into account that jobs wider than half of the devices cannot run side by side; where there are none, it is
 * area / devices or the longest job, whichever is more.
 */
public final class Makespans {

    /** What the figures refer to. */
    public static final String BOUND_IN_WORDS = """
            Makespans are ratios to a bound: the most, over k in 0..D/2, of (1) the sum of f(width) * duration, where f is 1 for a width above D-k, \
            0 for one below k, and else width/D (a dual feasible function), and (2) all jobs wider than D-k and the longest of those \
            from k on, which run one after another.""";

    private static final double GOAL = 1.05;
    private static final int WIDEST = 8;
    private static final String PEER = "FIFO, no backfill";

    /** How durations are spread; in milliseconds. */
    private enum Spread {
        PARETO {
            @Override
            double draw(Random random) {
                return Math.min(60_000, 100 * Math.pow(1 - random.nextDouble(), -1 / 1.3));
            }
        },
        LOGNORMAL {
            @Override
            double draw(Random random) {
                return 500 * Math.exp(1.2 * random.nextGaussian());
            }
        };

        abstract double draw(Random random);
    }

    private record Ending(long moment, int width) {}

    private final int seeds;
    private final int most;

    Makespans(boolean quick) {
        this.seeds = quick ? 3 : 10;
        this.most = quick ? 4_000 : 10_000;
    }

    List<Figure> run() {
        List<Figure> figures = new ArrayList<>();
        for (Spread spread : Spread.values()) {
            for (int number : new int[] {300, 1_000}) {
                for (int devices : new int[] {8, 16, 64}) {
                    ratios(spread, number, devices, figures);
                }
            }
        }
        for (Spread spread : Spread.values()) {
            huge(spread, figures);
        }
        return figures;
    }

    private void ratios(Spread spread, int number, int devices, List<Figure> figures) {
        List<Double> ours = new ArrayList<>();
        List<Double> asGenerated = new ArrayList<>();
        List<Double> fifo = new ArrayList<>();
        for (int seed = 0; seed < seeds; seed++) {
            List<Job> jobs = jobs(spread, number, seed);
            double bound = bound(jobs, devices);
            ours.add(JobOrder.makespan(ordered(jobs, devices), devices) / bound);
            asGenerated.add(JobOrder.makespan(jobs, devices) / bound);
            fifo.add(withoutBackfill(jobs, devices) / bound);
        }
        String name = name(spread, number, devices);
        figures.add(new Figure(name + ": mean", mean(ours), "x", GOAL, PEER, mean(fifo)));
        figures.add(new Figure(name + ": worst", worst(ours), "x", GOAL, PEER, worst(fifo)));
        figures.add(new Figure(name + ": not ordered, mean", mean(asGenerated), "x", Double.NaN, PEER, mean(fifo)));
    }

    private void huge(Spread spread, List<Figure> figures) {
        int devices = 64;
        List<Job> jobs = jobs(spread, most, 0);
        double bound = bound(jobs, devices);
        long begin = System.nanoTime();
        List<Job> ordered = ordered(jobs, devices);
        double seconds = (System.nanoTime() - begin) / 1e9;
        String name = name(spread, most, devices);
        figures.add(new Figure(
                name,
                JobOrder.makespan(ordered, devices) / bound,
                "x",
                GOAL,
                PEER,
                withoutBackfill(jobs, devices) / bound));
        figures.add(new Figure(name + ": ordering", seconds, "s", Double.NaN, null, null));
    }

    private static String name(Spread spread, int number, int devices) {
        return String.format(
                Locale.ROOT, "%s, %,d jobs on %d", spread.name().toLowerCase(Locale.ROOT), number, devices);
    }

    private static List<Job> jobs(Spread spread, int number, int seed) {
        Random random = new Random(seed);
        List<Job> jobs = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            jobs.add(new Job(1 + random.nextInt(WIDEST), (long) Math.ceil(spread.draw(random))));
        }
        return jobs;
    }

    private static List<Job> ordered(List<Job> jobs, int devices) {
        return JobOrder.of(jobs, devices).stream().map(jobs::get).toList();
    }

    private static double bound(List<Job> jobs, int devices) {
        double bound = 0;
        for (int k = 0; k <= devices / 2; k++) {
            bound = Math.max(bound, Math.max(weighted(jobs, devices, k), oneAfterAnother(jobs, devices, k)));
        }
        return bound;
    }

    /** Jobs above {@code devices - k} wide run alone among those of {@code k} and more, so the longest of these comes before or after. */
    private static double oneAfterAnother(List<Job> jobs, int devices, int k) {
        double wide = 0;
        double other = 0;
        for (Job job : jobs) {
            if (job.width() > devices - k) {
                wide += job.duration();
            } else if (job.width() >= k) {
                other = Math.max(other, (double) job.duration());
            }
        }
        return wide + other;
    }

    /** What jobs take at the least if one above {@code devices - k} wide needs all devices, and those below {@code k} none. */
    private static double weighted(List<Job> jobs, int devices, int k) {
        double sum = 0;
        for (Job job : jobs) {
            if (job.width() > devices - k) {
                sum += job.duration();
            } else if (job.width() >= k) {
                sum += (double) job.duration() * job.width() / devices;
            }
        }
        return sum;
    }

    /** First come, first served: no request overtakes one that does not fit yet. */
    private static long withoutBackfill(List<Job> jobs, int devices) {
        PriorityQueue<Ending> running = new PriorityQueue<>(Comparator.comparingLong(Ending::moment));
        int free = devices;
        long now = 0;
        long end = 0;
        for (Job job : jobs) {
            while (free < job.width()) {
                Ending next = running.remove();
                now = next.moment;
                free += next.width;
            }
            free -= job.width();
            running.add(new Ending(now + job.duration(), job.width()));
            end = Math.max(end, now + job.duration());
        }
        return end;
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(value -> value).average().orElse(Double.NaN);
    }

    private static double worst(List<Double> values) {
        return Quantile.of(values, 1);
    }
}
