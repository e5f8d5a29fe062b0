package org.rankunit.benchmarks.runtime;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.OneRun;
import org.rankunit.benchmarks.measure.Quantile;

/** A test with a graph of many tasks, with and without the check for races, in turn. */
final class CheckedRing {

    private static final double CHECKED_OF_UNCHECKED = 2;

    private final int rounds;
    private final int tasks;
    private final Path output;
    private final Path kernels;

    CheckedRing(boolean quick, Path output, Path kernels) {
        this.rounds = quick ? 1 : 3;
        this.tasks = quick ? 100_000 : 1_000_000;
        this.output = output;
        this.kernels = kernels;
    }

    /** Fails if a test was not checked, since that makes it fail. */
    List<Figure> figures() {
        List<Double> checked = new ArrayList<>();
        List<Double> unchecked = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            checked.addAll(millis("ranges"));
            unchecked.addAll(millis("off"));
        }
        String name = "ring of 64 slots, test of " + tasks + " tasks";
        double median = Quantile.of(checked, 0.5);
        double theirs = Quantile.of(unchecked, 0.5);
        return List.of(Figure.ratio(name, median, "ms", CHECKED_OF_UNCHECKED, "unchecked", theirs)
                .spreadOf(checked, unchecked));
    }

    private List<Double> millis(String check) {
        return OneRun.of(
                        List.of(RingCase.class),
                        output,
                        false,
                        Map.of(
                                "rankunit.sim.check",
                                check,
                                "rankunit.kernel-sources",
                                kernels.toString(),
                                "rankunit.param.tasks",
                                Integer.toString(tasks)))
                .millisPerTest();
    }
}
