package org.rankunit.benchmarks.runtime;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.benchmarks.measure.CPeer;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;

/** Empty tasks on two cores, ours and those of peers in turn; {@code peers/tasks.h} says what each program does. */
final class TaskRates {

    private static final String OURS = "rankunit";
    private static final String BARE = "bare C++";
    private static final String OPENMP = "OpenMP, depend";
    private static final String OPENMP_PLAIN = "OpenMP, no depend";
    private static final String TBB = "oneTBB flow graph";

    /** Million tasks in a second. */
    private static final double RATE_GOAL = 1;

    private static final double OF_OPENMP = 1;
    private static final double OF_TBB = 0.5;

    /** Microseconds. */
    private static final double HOP_GOAL = 5;

    private static final double GROWTH_GOAL = 1;
    private static final int SLOTS = 64;
    private static final int WORDS = 16;
    private static final int MEASURED_BY_CALL = 3;

    private final int rounds;
    private final int tasks;
    private final CPeer ours;

    /** By their names; ours too. */
    private final Map<String, CPeer> programs = new LinkedHashMap<>();

    /** What a program has measured, by its name: of each round, all seconds, and those of the run alone. */
    private record Measured(Map<String, List<Double>> all, Map<String, List<Double>> run) {

        Measured() {
            this(new LinkedHashMap<>(), new LinkedHashMap<>());
        }

        void add(String name, double make, double running) {
            all.computeIfAbsent(name, n -> new ArrayList<>()).add(make + running);
            run.computeIfAbsent(name, n -> new ArrayList<>()).add(running);
        }
    }

    TaskRates(boolean quick, Path output) {
        this.rounds = quick ? 3 : 5;
        this.tasks = quick ? 200_000 : 1_000_000;
        ours = new CPeer(output.resolve("rankunit_tasks"));
        programs.put(OURS, ours);
        programs.put(BARE, new CPeer(output.resolve("bare_tasks")));
        programs.put(OPENMP, new CPeer(output.resolve("openmp_tasks")));
        programs.put(OPENMP_PLAIN, new CPeer(output.resolve("openmp_plain_tasks")));
        programs.put(TBB, new CPeer(output.resolve("tbb_tasks")));
    }

    List<Figure> figures() throws IOException, InterruptedException {
        List<Figure> figures = new ArrayList<>();
        figures.addAll(rates("empty tasks, no edges", measure(0, tasks)));
        figures.addAll(rates("empty tasks, 64 chains", measure(64, tasks)));
        figures.addAll(ring());
        figures.addAll(hops());
        return figures;
    }

    /** A program that is absent measures nothing. OpenMP without depend has no order, so it cannot run chains. */
    private Measured measure(int chains, int count) throws IOException, InterruptedException {
        Measured measured = new Measured();
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<String, CPeer> program : programs.entrySet()) {
                if (program.getValue().isPresent()
                        && (chains == 0 || !program.getKey().equals(OPENMP_PLAIN))) {
                    List<Double> seconds = program.getValue()
                            .run(
                                    List.of(),
                                    Integer.toString(chains),
                                    Integer.toString(count),
                                    Integer.toString(MEASURED_BY_CALL));
                    for (int i = 0; i < seconds.size(); i += 2) {
                        measured.add(program.getKey(), seconds.get(i), seconds.get(i + 1));
                    }
                }
            }
        }
        return measured;
    }

    private List<Figure> rates(String name, Measured measured) {
        List<Double> rates = perMicrosecond(measured.all(), OURS);
        List<Figure> figures = new ArrayList<>();
        figures.add(rate(name, rates, RATE_GOAL, false, BARE, measured.all()));
        figures.add(rate(name, rates, OF_OPENMP, true, OPENMP, measured.all()));
        if (measured.all().containsKey(OPENMP_PLAIN)) {
            figures.add(rate(name, rates, Double.NaN, true, OPENMP_PLAIN, measured.all()));
        }
        figures.add(rate(name, rates, OF_TBB, true, TBB, measured.all()));
        figures.add(rate(
                name + ", run alone", perMicrosecond(measured.run(), OURS), Double.NaN, true, TBB, measured.run()));
        return figures;
    }

    private Figure rate(
            String name,
            List<Double> rates,
            double goal,
            boolean ofPeer,
            String peer,
            Map<String, List<Double>> measured) {
        List<Double> others = perMicrosecond(measured, peer);
        @Nullable Double theirs = medianOrNull(others);
        double median = Quantile.of(rates, 0.5);
        Figure figure = ofPeer
                ? Figure.ratio(name, median, "M/s", goal, peer, theirs)
                : new Figure(name, median, "M/s", goal, peer, theirs);
        return figure.orMore().spreadOf(rates, others);
    }

    /** Million tasks in a second, of each round. */
    private List<Double> perMicrosecond(Map<String, List<Double>> measured, String name) {
        return measured.getOrDefault(name, List.of()).stream()
                .map(seconds -> tasks / seconds / 1e6)
                .toList();
    }

    private List<Figure> ring() throws IOException, InterruptedException {
        List<Double> rates = new ArrayList<>();
        List<Double> growths = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Double> printed = ring(WORDS, tasks);
            for (int i = 0; i < printed.size(); i += 2) {
                rates.add(tasks / printed.get(i) / 1e6);
                growths.add(printed.get(i + 1) < 0 ? Double.NaN : printed.get(i + 1) / 1024);
            }
        }
        return List.of(
                new Figure("ring of 64 slots, 16 chains", Quantile.of(rates, 0.5), "M/s", Double.NaN, null, null)
                        .spreadOf(rates, List.of()),
                new Figure("ring of 64 slots, growth, most", Quantile.of(growths, 1), "MiB", GROWTH_GOAL, null, null)
                        .spreadOf(growths, List.of()));
    }

    private List<Double> ring(int words, int count) throws IOException, InterruptedException {
        return ours.run(
                List.of(),
                "ring",
                Integer.toString(SLOTS),
                Integer.toString(words),
                Integer.toString(count),
                Integer.toString(MEASURED_BY_CALL));
    }

    /** The tasks of one chain, from the first to the last. */
    private List<Figure> hops() throws IOException, InterruptedException {
        int count = tasks / 5;
        Measured measured = measure(1, count);
        List<Double> ofRing = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            List<Double> printed = ring(1, count);
            for (int i = 0; i < printed.size(); i += 2) {
                ofRing.add(printed.get(i) / count * 1e6);
            }
        }
        List<Figure> figures = new ArrayList<>();
        List<Double> hops = micros(measured, OURS, count);
        for (String peer : List.of(TBB, OPENMP)) {
            List<Double> others = micros(measured, peer, count);
            @Nullable Double theirs = medianOrNull(others);
            figures.add(new Figure("hop, host_build_graph", Quantile.of(hops, 0.5), "us", HOP_GOAL, peer, theirs)
                    .spreadOf(hops, others));
        }
        figures.add(new Figure("hop, tensormap_and_ringbuffer", Quantile.of(ofRing, 0.5), "us", HOP_GOAL, null, null)
                .spreadOf(ofRing, List.of()));
        return figures;
    }

    private static List<Double> micros(Measured measured, String name, int count) {
        return measured.run().getOrDefault(name, List.of()).stream()
                .map(seconds -> seconds / count * 1e6)
                .toList();
    }

    /** {@code null} of a peer that is absent. */
    private static @Nullable Double medianOrNull(List<Double> values) {
        return values.isEmpty() ? null : Quantile.of(values, 0.5);
    }
}
