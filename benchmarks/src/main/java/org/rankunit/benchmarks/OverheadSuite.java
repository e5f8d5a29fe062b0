package org.rankunit.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the engine adds: a further test in a running group, a cold group, the memory of a rank. */
final class OverheadSuite {

    private static final int[] RANKS = {2, 4, 8};
    private static final double[] FURTHER_GOALS = {0.35, 0.7, 1.5};
    private static final double[] COLD_GOALS = {0.25, 0.5, 1.0};
    private static final double PSS_GOAL = 80;

    /** Classes of 100 tests each. */
    private static final int CLASSES = 20;

    private final int rounds;
    private final int peerTests;
    private final Path output;
    private final GlooPeer gloo;

    OverheadSuite(boolean quick, Path peers) throws IOException, InterruptedException {
        this.rounds = quick ? 2 : 5;
        this.peerTests = quick ? 100 : 300;
        this.output = peers.resolveSibling("target").resolve("output");
        this.gloo = new GlooPeer(peers.resolve("gloo_kept.py"));
    }

    List<Figure> run() throws IOException, InterruptedException, ReflectiveOperationException {
        // The first run of a machine builds the archive of classes; measured is what every later one has.
        OneRun.of(List.of(caseOf("Cold2")), output, false);
        List<Figure> figures = new ArrayList<>();
        for (int i = 0; i < RANKS.length; i++) {
            measure(RANKS[i], FURTHER_GOALS[i], COLD_GOALS[i], figures);
        }
        double pss = OneRun.of(List.of(ReduceCase.class), output, true).maxPssMib();
        figures.add(new Figure("memory of a rank JVM (PSS, largest)", pss, "MiB", PSS_GOAL, null, null));
        return figures;
    }

    /** Ours and the peer in turn, so that both meet the same moods of the machine. */
    private void measure(int ranks, double furtherGoal, double coldGoal, List<Figure> figures)
            throws IOException, InterruptedException, ReflectiveOperationException {
        List<Double> further = new ArrayList<>();
        List<Double> cold = new ArrayList<>();
        List<Double> peer = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            further.add(OneRun.of(trivial(ranks), output, false).medianMillisPerTest());
            cold.add(OneRun.of(List.of(caseOf("Cold" + ranks)), output, false).coldSeconds());
            Double other = gloo.millisPerTest(ranks, peerTests);
            if (other != null) {
                peer.add(other);
            }
        }
        figures.add(new Figure(
                "a further test at " + ranks + " ranks",
                median(further),
                "ms",
                furtherGoal,
                GlooPeer.NAME,
                medianOrNull(peer)));
        figures.add(new Figure(
                "a cold group of " + ranks + ", lease to first test", median(cold), "s", coldGoal, null, null));
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

    private static @Nullable Double medianOrNull(List<Double> values) {
        return values.isEmpty() ? null : median(values);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        sorted.sort(null);
        return sorted.get(sorted.size() / 2);
    }
}
