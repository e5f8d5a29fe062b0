package org.rankunit.benchmarks.runtime;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.benchmarks.measure.Figure;

/** Task graphs: empty tasks without any test, from C++, beside peers; and a whole test. */
public final class RuntimeSuite {

    private final boolean quick;
    private final Path peers;

    public RuntimeSuite(boolean quick, Path peers) {
        this.quick = quick;
        this.peers = peers;
    }

    public List<Figure> run() throws IOException, InterruptedException {
        Path output = peers.resolveSibling("target").resolve("output");
        Path kernels = peers.resolve("../../sample-tests/src/test/kernels")
                .toAbsolutePath()
                .normalize();
        List<Figure> figures = new ArrayList<>();
        figures.add(load("before"));
        figures.addAll(new TaskRates(quick, output).figures());
        figures.add(load("after the tasks"));
        figures.addAll(new TreduceRuns(quick, output, kernels).figures());
        figures.addAll(new CheckedRing(quick, output, peers.resolveSibling("runtime").resolve("kernels")).figures());
        figures.add(load("after the tests"));
        return figures;
    }

    /** The load of the last minute: on a machine that others use too, the times are theirs as well. */
    private static Figure load(String when) {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return new Figure("load average, " + when, load, "", Double.NaN, null, null);
    }
}
