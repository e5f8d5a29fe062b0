package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.rankunit.benchmarks.measure.Figure;

/** The device pool without any test: what a lease costs, alone and among others, and how well and fast it is decided who is next. */
public final class PoolSuite {

    private final boolean quick;
    private final Path output;

    public PoolSuite(boolean quick, Path output) {
        this.quick = quick;
        this.output = output;
    }

    public List<Figure> run() throws IOException, InterruptedException, ExecutionException {
        Path folder = Files.createTempDirectory(Files.createDirectories(output), "pool");
        try {
            List<Figure> figures = new ArrayList<>();
            figures.addAll(new LeaseCost(quick, folder).run());
            figures.addAll(new Contention(quick, folder).run());
            figures.addAll(new HandOver(quick, folder).run());
            figures.addAll(new Decisions(quick).run());
            figures.addAll(new Makespans(quick).run());
            return figures;
        } finally {
            delete(folder);
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
