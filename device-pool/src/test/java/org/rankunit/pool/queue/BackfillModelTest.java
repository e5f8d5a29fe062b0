package org.rankunit.pool.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.inventory.TopologyRules;

/**
 * The rule of the queue on a clock that is only reckoned, with random requests, against a model: what would have become of the
 * head if nobody had come after it.
 */
@Tag("unit")
class BackfillModelTest {

    /** What holders say of how long they will take. */
    enum Saying {
        /** Exactly as long as it takes. */
        EXACTLY,
        /** Longer than it takes. */
        TOO_LONG,
        /** Nothing, every second one; exactly, the others. */
        OFTEN_NOTHING,
        /** Some die before the end they told of. */
        DYING
    }

    private record Job(int number, long arrives, int count, long takes, long says) {}

    private record Lease(Job job, BitSet devices, long end) {}

    /** A run of jobs on devices, with a look at each moment at which something changes. */
    private static final class Simulation {
        private final DeviceChoice choice;
        private final List<Job> jobs;
        private final BitSet free;
        private final PriorityQueue<Lease> running = new PriorityQueue<>(Comparator.comparingLong(Lease::end));
        private final List<Job> queue = new ArrayList<>();
        private final Map<Integer, Long> began = new HashMap<>();
        private final Map<Integer, Long> promised = new HashMap<>();
        private final Map<Integer, Long> alone = new HashMap<>();
        private long now;
        private int next;

        Simulation(DeviceChoice choice, List<Job> jobs) {
            this.choice = choice;
            this.jobs = jobs;
            this.free = (BitSet) choice.all().clone();
        }

        Simulation run() {
            while (next < jobs.size() || !queue.isEmpty()) {
                step();
            }
            return this;
        }

        private void step() {
            long arrival = next < jobs.size() ? jobs.get(next).arrives : Long.MAX_VALUE;
            long end = running.isEmpty() ? Long.MAX_VALUE : running.element().end;
            assertThat(Math.min(arrival, end))
                    .as("somebody waits forever: %s", queue)
                    .isLessThan(Long.MAX_VALUE);
            now = Math.min(arrival, end);
            while (!running.isEmpty() && running.element().end == now) {
                free.or(running.remove().devices);
            }
            while (next < jobs.size() && jobs.get(next).arrives == now) {
                queue.add(jobs.get(next++));
            }
            Backfill.Plan plan = Backfill.plan(
                    now,
                    free,
                    said(),
                    queue.stream()
                            .map(job -> new Backfill.Waiting(choice, job.count, job.says))
                            .toList());
            plan.promises().forEach((place, moment) -> {
                Job head = queue.get(place);
                promised.putIfAbsent(head.number, moment);
                alone.computeIfAbsent(head.number, job -> startIfNobodyCameAfter(place, plan.starts()));
            });
            assertThat(plan.starts().isEmpty() || plan.starts().containsKey(0) || !fits(queue.get(0), free))
                    .as("the first goes first")
                    .isTrue();
            begin(plan.starts());
        }

        private List<Backfill.Running> said() {
            return running.stream()
                    .map(lease -> new Backfill.Running(
                            lease.devices,
                            lease.job.says == Backfill.UNKNOWN
                                    ? Backfill.UNKNOWN
                                    : began.getOrDefault(lease.job.number, 0L) + lease.job.says))
                    .toList();
        }

        private void begin(Map<Integer, BitSet> starts) {
            List<Job> left = new ArrayList<>();
            for (int place = 0; place < queue.size(); place++) {
                Job job = queue.get(place);
                BitSet devices = starts.get(place);
                if (devices == null) {
                    left.add(job);
                    continue;
                }
                BitSet free = (BitSet) this.free.clone();
                free.and(devices);
                assertThat(free).as("nobody has a device of job %s", job).isEqualTo(devices);
                assertThat(devices.cardinality()).isEqualTo(job.count);
                this.free.andNot(devices);
                began.put(job.number, now);
                running.add(new Lease(job, devices, now + job.takes));
            }
            queue.clear();
            queue.addAll(left);
        }

        private boolean fits(Job job, BitSet devices) {
            return !choice.choose(devices, job.count).isEmpty();
        }

        /** When the head would begin if all behind it went away now, as the leases really end. */
        private long startIfNobodyCameAfter(int head, Map<Integer, BitSet> starts) {
            BitSet devices = (BitSet) free.clone();
            List<Lease> leases = new ArrayList<>(running);
            starts.forEach((place, taken) -> {
                if (place < head) {
                    devices.andNot(taken);
                    leases.add(new Lease(queue.get(place), taken, now + queue.get(place).takes));
                }
            });
            leases.sort(Comparator.comparingLong(Lease::end));
            for (Lease lease : leases) {
                devices.or(lease.devices);
                if (fits(queue.get(head), devices)) {
                    return lease.end;
                }
            }
            throw new AssertionError("job " + queue.get(head) + " never fits");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theHeadIsNeverDelayedByThoseWhoOvertakeIt(Saying saying) {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            DeviceChoice choice = machine(random);
            Simulation run = new Simulation(choice, jobs(random, choice, 150, saying)).run();

            assertThat(run.began).hasSize(150);
            run.promised.forEach((job, promise) -> {
                long began = run.began.getOrDefault(job, Long.MAX_VALUE);
                if (saying == Saying.EXACTLY || saying == Saying.OFTEN_NOTHING) {
                    assertThat(began).as("job %s", job).isLessThanOrEqualTo(run.alone.getOrDefault(job, 0L));
                } else {
                    assertThat(began).as("job %s", job).isLessThanOrEqualTo(promise);
                }
            });
        }
    }

    @Test
    void tenThousandJobsOnSixtyFourDevicesAllRunAndOvertakingPays() {
        Random random = new Random(64);
        DeviceChoice choice = new DeviceChoice(Inventory.ofFirst(64, "a2a3"));
        List<Job> jobs = jobs(random, choice, 10_000, Saying.EXACTLY);
        Simulation run = new Simulation(choice, jobs).run();

        assertThat(run.began).hasSize(10_000);
        run.promised.forEach((job, promise) -> assertThat(run.began.getOrDefault(job, Long.MAX_VALUE))
                .isLessThanOrEqualTo(run.alone.getOrDefault(job, 0L)));
        long overtook = IntStream.range(1, jobs.size())
                .filter(i -> run.began.getOrDefault(i, 0L) < run.began.getOrDefault(i - 1, 0L))
                .count();
        assertThat(overtook).isGreaterThan(100);
    }

    /** Eight or sixteen devices, with the rules of one kind of machine or another. */
    private static DeviceChoice machine(Random random) {
        SortedSet<Integer> even = new TreeSet<>(List.of(1, 2, 4, 6, 8));
        List<Integer> devices =
                IntStream.range(0, random.nextBoolean() ? 8 : 16).boxed().toList();
        Topology topology = switch (random.nextInt(3)) {
            case 0 -> Topology.FLAT;
            case 1 -> Topology.numbered(new TopologyRules("pairs", even, true, 0, false), devices, 0, 2);
            default ->
                Topology.numbered(
                        new TopologyRules("rings", new TreeSet<>(List.of(1, 2, 4, 8)), false, 4, false), devices, 4, 1);
        };
        return new DeviceChoice(new Inventory("a2a3", devices, topology));
    }

    private static List<Job> jobs(Random random, DeviceChoice choice, int number, Saying saying) {
        List<Job> jobs = new ArrayList<>();
        double load = 0.9 * choice.all().cardinality() / 4.5;
        double arrives = 0;
        while (jobs.size() < number) {
            int count = 1 + random.nextInt(8);
            if (choice.everFits(count)) {
                long takes = (long) Math.min(5_000, 20 * Math.pow(1 - random.nextDouble(), -1 / 1.2));
                arrives += -Math.log(1 - random.nextDouble()) * 80 / load;
                jobs.add(job(jobs.size(), (long) arrives, count, takes, saying, random));
            }
        }
        return jobs;
    }

    private static Job job(int number, long arrives, int count, long takes, Saying saying, Random random) {
        return switch (saying) {
            case EXACTLY -> new Job(number, arrives, count, takes, takes);
            case TOO_LONG -> new Job(number, arrives, count, takes, takes + random.nextInt(300));
            case OFTEN_NOTHING ->
                new Job(number, arrives, count, takes, random.nextBoolean() ? Backfill.UNKNOWN : takes);
            case DYING ->
                new Job(
                        number,
                        arrives,
                        count,
                        random.nextInt(4) == 0 ? 1 + random.nextInt((int) takes) : takes,
                        takes);
        };
    }
}
