package org.rankunit.benchmarks.overhead;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.rankunit.benchmarks.measure.CPeer;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.GlooPeer;
import org.rankunit.benchmarks.measure.OneRun;
import org.rankunit.benchmarks.measure.Quantile;

/**
 * What the engine adds: a further test in a running group, a cold group, the memory of a rank. Ours and the peers are measured
 * in turn, so that they meet the same moods of the machine, and the goals are for the ratios of the medians.
 */
public final class OverheadSuite {

    /** Kept gloo groups of 2 take anything between 0.9 and 3.6 ms, so there only the floor has a goal. */
    private static final List<Goals> GOALS = List.of(new Goals(2, Double.NaN), new Goals(4, 0.05), new Goals(8, 0.05));

    private static final double FURTHER_OF_FLOOR = 10;
    private static final double COLD_OF_SPAWN = Runtime.version().feature() >= 25 ? 0.2 : 0.25;
    private static final double PSS_GOAL = 80;
    private static final String KEPT = "gloo, kept processes";
    private static final String FLOOR = "round trip in C";

    /** Classes of 100 tests each. */
    private static final int CLASSES = 20;

    /** @param furtherOfGloo a further test, as a share of one by kept processes with a gloo group */
    private record Goals(int ranks, double furtherOfGloo) {}

    private final int rounds;
    private final int peerTests;
    private final Path output;
    private final Path peers;
    private final GlooPeer gloo;
    private final CPeer floor;

    public OverheadSuite(boolean quick, Path peers) throws IOException, InterruptedException {
        this.rounds = quick ? 3 : 7;
        this.peerTests = quick ? 100 : 300;
        this.output = peers.resolveSibling("target").resolve("output");
        this.peers = peers;
        this.gloo = new GlooPeer(peers.resolve("gloo_kept.py"));
        this.floor = new CPeer(output.resolve("round_trip"));
    }

    public List<Figure> run() throws IOException, InterruptedException, ReflectiveOperationException {
        // The first run of a machine builds the archive of classes; measured is what every later one has.
        OneRun.of(List.of(caseOf("Cold2")), output, false);
        List<Figure> figures = new ArrayList<>();
        for (Goals goals : GOALS) {
            figures.addAll(furtherTests(goals));
        }
        for (Goals goals : GOALS) {
            figures.add(coldGroups(goals.ranks()));
        }
        double pss = OneRun.of(List.of(ReduceCase.class), output, true).maxPssMib();
        figures.add(new Figure("memory of a rank JVM (PSS, largest)", pss, "MiB", PSS_GOAL, null, null));
        return figures;
    }

    private List<Figure> furtherTests(Goals goals)
            throws IOException, InterruptedException, ReflectiveOperationException {
        int ranks = goals.ranks();
        List<Double> ours = new ArrayList<>();
        List<Double> kept = new ArrayList<>();
        List<Double> least = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            ours.add(OneRun.of(trivial(ranks), output, false).medianMillisPerTest());
            addMeasured(gloo.run(Integer.toString(ranks), Integer.toString(peerTests)), kept);
            addMeasured(roundTripMillis(ranks), least);
        }
        String name = "a further test at " + ranks + " ranks";
        double further = Quantile.of(ours, 0.5);
        return List.of(
                Figure.ratio(name, further, "ms", goals.furtherOfGloo(), KEPT, medianOrNull(kept)),
                Figure.ratio(name + ", floor", further, "ms", FURTHER_OF_FLOOR, FLOOR, medianOrNull(least)));
    }

    private @Nullable Double roundTripMillis(int ranks) throws IOException, InterruptedException {
        return floor.isPresent()
                ? floor.run(List.of(), Integer.toString(ranks), "5000").get(0)
                : null;
    }

    /** From the lease to the first test, beside all of a test by processes that are spawned for it. */
    private Figure coldGroups(int ranks) throws IOException, ReflectiveOperationException {
        List<Double> ours = new ArrayList<>();
        List<Double> spawned = new ArrayList<>();
        try (GlooSpawn peer = new GlooSpawn(peers.resolve("gloo_spawn.py"), ranks, gloo.isPresent())) {
            for (int round = 0; round < rounds; round++) {
                ours.add(OneRun.of(List.of(caseOf("Cold" + ranks)), output, false)
                        .coldSeconds());
                addMeasured(peer.seconds(), spawned);
            }
        }
        return Figure.ratio(
                "a cold group of " + ranks + ", lease to first test",
                Quantile.of(ours, 0.5),
                "s",
                COLD_OF_SPAWN,
                GlooSpawn.NAME,
                medianOrNull(spawned));
    }

    private static List<Class<?>> trivial(int ranks) throws ClassNotFoundException {
        List<Class<?>> classes = new ArrayList<>();
        for (int i = 1; i <= CLASSES; i++) {
            classes.add(caseOf("Trivial" + ranks + "x" + i));
        }
        return classes;
    }

    /** A class that {@code run.sh} has written. */
    private static Class<?> caseOf(String name) throws ClassNotFoundException {
        return Class.forName("org.rankunit.benchmarks." + name + "Case");
    }

    private static void addMeasured(@Nullable Double value, List<Double> values) {
        if (value != null) {
            values.add(value);
        }
    }

    private static @Nullable Double medianOrNull(List<Double> values) {
        return values.isEmpty() ? null : Quantile.of(values, 0.5);
    }
}
