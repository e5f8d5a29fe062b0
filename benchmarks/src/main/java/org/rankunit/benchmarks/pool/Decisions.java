package org.rankunit.benchmarks.pool;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.pool.inventory.DeviceChoice;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.inventory.TopologyRules;
import org.rankunit.pool.queue.Backfill;

/** One decision of who may begin, with ten thousand who wait for 64 devices. */
final class Decisions {

    private static final int DEVICES = 64;
    private static final int WAITING = 10_000;
    private static final double GOAL = 1;
    private static final int WARM_UP = 500;

    /** All of these moments lie behind {@link #SHORT} and before {@link #LONG}. */
    private static final long FIRST_END = 10_000;

    private static final long SHORT = 5_000;
    private static final long LONG = 1_000_000;

    private static final DeviceChoice ANY = new DeviceChoice(Inventory.ofFirst(DEVICES, "any"));

    private final int samples;

    Decisions(boolean quick) {
        this.samples = quick ? 500 : 5_000;
    }

    List<Figure> run() {
        List<Figure> figures = new ArrayList<>();
        measure("nothing is held", ids(0, DEVICES), behind(ANY, 1, SHORT), figures);
        measure("all is held", new BitSet(), behind(ANY, 1, SHORT), figures);
        // Each of the following is looked at, and none may begin.
        measure("4 free, which the head needs", ids(0, 4), behind(ANY, 1, LONG), figures);
        measure("4 free, too few for all", ids(0, 4), behind(ANY, 5, SHORT), figures);
        measure("4 free, of broken pairs", everyOther(8), behind(inPairs(), 2, SHORT), figures);
        measure("8 slices of 8, one free in each", everyEighth(), behindSlices(), figures);
        return figures;
    }

    private void measure(String name, BitSet free, List<Backfill.Waiting> queue, List<Figure> figures) {
        List<Backfill.Running> running = running(free);
        List<Double> millis = new ArrayList<>();
        int starts = 0;
        for (int i = 0; i < WARM_UP + samples; i++) {
            long begin = System.nanoTime();
            starts += Backfill.plan(0, free, running, queue).starts().size();
            if (i >= WARM_UP) {
                millis.add((System.nanoTime() - begin) / 1e6);
            }
        }
        if (free.cardinality() < DEVICES && starts > 0) {
            throw new IllegalStateException("a request is granted, so this is not what should be measured: " + name);
        }
        String decision = "plan: " + name;
        figures.add(new Figure(decision + ", p50", Quantile.of(millis, 0.5), "ms", GOAL, null, null));
        figures.add(new Figure(decision + ", p99", Quantile.of(millis, 0.99), "ms", GOAL, null, null));
    }

    /** What is not free is held in fours, each until another moment. */
    private static List<Backfill.Running> running(BitSet free) {
        List<Integer> held = IntStream.range(0, DEVICES)
                .filter(device -> !free.get(device))
                .boxed()
                .toList();
        List<Backfill.Running> running = new ArrayList<>();
        for (int i = 0; i < held.size(); i += 4) {
            BitSet four = new BitSet();
            held.subList(i, Math.min(i + 4, held.size())).forEach(four::set);
            running.add(new Backfill.Running(four, FIRST_END + i));
        }
        Collections.shuffle(running, new Random(0));
        return running;
    }

    /** One that needs 8 at the head, then many of {@code narrowest} to 8. */
    private static List<Backfill.Waiting> behind(DeviceChoice choice, int narrowest, long expected) {
        Random random = new Random(1);
        List<Backfill.Waiting> queue = new ArrayList<>();
        queue.add(new Backfill.Waiting(choice, 8, expected));
        while (queue.size() < WAITING) {
            queue.add(new Backfill.Waiting(choice, narrowest + random.nextInt(9 - narrowest), expected));
        }
        return queue;
    }

    private static List<Backfill.Waiting> behindSlices() {
        List<DeviceChoice> slices = IntStream.range(0, 8)
                .mapToObj(slice -> new DeviceChoice(new Inventory(
                        "any", IntStream.range(8 * slice, 8 * slice + 8).boxed().toList())))
                .toList();
        Random random = new Random(1);
        List<Backfill.Waiting> queue = new ArrayList<>();
        while (queue.size() < WAITING) {
            queue.add(new Backfill.Waiting(slices.get(random.nextInt(8)), 2 + random.nextInt(7), SHORT));
        }
        return queue;
    }

    private static DeviceChoice inPairs() {
        List<Integer> devices = IntStream.range(0, DEVICES).boxed().toList();
        TopologyRules rules = new TopologyRules("pairs", Collections.emptySortedSet(), true, 0, false);
        return new DeviceChoice(new Inventory("any", devices, Topology.numbered(rules, devices, 0, 2)));
    }

    private static BitSet everyOther(int end) {
        BitSet devices = new BitSet();
        IntStream.range(0, end).filter(device -> device % 2 == 0).forEach(devices::set);
        return devices;
    }

    private static BitSet everyEighth() {
        BitSet devices = new BitSet();
        IntStream.range(0, 8).forEach(slice -> devices.set(8 * slice));
        return devices;
    }

    private static BitSet ids(int from, int to) {
        BitSet devices = new BitSet();
        devices.set(from, to);
        return devices;
    }
}
