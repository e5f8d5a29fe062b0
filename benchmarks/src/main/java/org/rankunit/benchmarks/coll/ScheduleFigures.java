package org.rankunit.benchmarks.coll;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.rankunit.DType;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.algorithms.halving.HalvingDoublingAllReduce;
import org.rankunit.collective.algorithms.ring.RingAllReduce;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.schedule.Schedule;
import org.rankunit.collective.simulate.LinkModel;
import org.rankunit.collective.simulate.Simulation;
import org.rankunit.collective.simulate.Topology;
import org.rankunit.collective.simulate.lockstep.Lockstep;
import org.rankunit.collective.verify.Verification;
import org.rankunit.collective.verify.Verifier;
import org.rankunit.collective.verify.sweep.Sweep;

/** How long large schedules take to be verified and simulated, on one thread; building them is part of it. */
final class ScheduleFigures {

    private static final int WARM_UP = 1;
    private static final int RUNS = 7;
    private static final Topology MACHINE = Topology.uniform(new LinkModel(2e-6, 1e10, 1, true));

    private ScheduleFigures() {}

    static List<Figure> measured() {
        List<Figure> figures = new ArrayList<>();
        figures.add(verify("verify", ScheduleFigures::ofAllRanks, new RingAllReduce(), 512, 1));
        figures.add(verify("verify", ScheduleFigures::ofAllRanks, new HalvingDoublingAllReduce(), 4096, 3));
        figures.add(verify("verify by symmetry", ScheduleFigures::bySymmetry, new RingAllReduce(), 4096, 0.2));
        figures.add(sweep());
        figures.add(simulate());
        figures.add(simulateLargest());
        return figures;
    }

    private static CollectiveCall call(int ranks) {
        return CollectiveCall.of(Collective.ALL_REDUCE, ranks, DType.FLOAT32, 2L * ranks);
    }

    private static Verification ofAllRanks(CollectiveAlgorithm algorithm, CollectiveCall call) {
        return Verifier.verify(Schedule.of(algorithm, call));
    }

    private static Verification bySymmetry(CollectiveAlgorithm algorithm, CollectiveCall call) {
        Verification found = Verifier.verify(algorithm, call);
        if (found.bySymmetry().isEmpty()) {
            throw new IllegalStateException(algorithm.name() + " was not verified by symmetry");
        }
        return found;
    }

    private static Figure verify(
            String what,
            BiFunction<CollectiveAlgorithm, CollectiveCall, Verification> verifier,
            CollectiveAlgorithm algorithm,
            int ranks,
            double goal) {
        List<Double> seconds = new ArrayList<>();
        for (int run = 0; run < WARM_UP + RUNS; run++) {
            long begin = System.nanoTime();
            Verification found = verifier.apply(algorithm, call(ranks));
            double time = (System.nanoTime() - begin) / 1e9;
            if (!found.isCorrect()) {
                throw new IllegalStateException(found.report());
            }
            if (run >= WARM_UP) {
                seconds.add(time);
            }
        }
        String name = what + " " + algorithm.name() + ", " + ranks + " ranks";
        return new Figure(name, Quantile.of(seconds, 0.5), "s", goal, null, null);
    }

    /** All calls that a sweep chooses for one large number of ranks, once. */
    private static Figure sweep() {
        long begin = System.nanoTime();
        Sweep.Result found = Sweep.verify(new RingAllReduce(), List.of(512));
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (!found.first().isEmpty()) {
            throw new IllegalStateException(found.first().toString());
        }
        String name = "sweep RingAllReduce, 512 ranks, " + found.verified() + " calls";
        return new Figure(name, seconds, "s", Double.NaN, null, null);
    }

    /** Tasks of a ring, of which one in five takes time. */
    private static Figure simulate() {
        Schedule ring = Schedule.of(new RingAllReduce(), call(512));
        List<Double> speeds = new ArrayList<>();
        for (int run = 0; run < WARM_UP + RUNS; run++) {
            long begin = System.nanoTime();
            Simulation simulation = Simulation.of(ring, MACHINE);
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (run >= WARM_UP) {
                speeds.add(simulation.events() / seconds / 1e6);
            }
        }
        return new Figure("simulate a ring of 512 ranks", Quantile.of(speeds, 0.5), "M tasks/s", 3, null, null)
                .orMore();
    }

    /** As the command {@code simulate} does it: by one rank, since there is not enough memory for all. */
    private static Figure simulateLargest() {
        CollectiveAlgorithm ring = new RingAllReduce();
        List<Double> seconds = new ArrayList<>();
        for (int run = 0; run < WARM_UP + RUNS; run++) {
            long begin = System.nanoTime();
            if (Lockstep.simulate(ring, call(4096), MACHINE).isEmpty()) {
                throw new IllegalStateException(ring.name() + " was not simulated by symmetry");
            }
            if (run >= WARM_UP) {
                seconds.add((System.nanoTime() - begin) / 1e9);
            }
        }
        return new Figure("simulate a ring of 4096 ranks", Quantile.of(seconds, 0.5), "s", 10, null, null);
    }
}
