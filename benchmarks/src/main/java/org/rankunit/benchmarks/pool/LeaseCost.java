package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.rankunit.benchmarks.measure.Figure;
import org.rankunit.benchmarks.measure.Quantile;
import org.rankunit.pool.DevicePool;

/** A lease without competition, and in turn with it the least that it could be: two file locks. */
final class LeaseCost {

    private static final double GOAL = 200;
    private static final int WARM_UP = 3_000;
    private static final String PEER = "2 file locks kept open";

    private final int samples;
    private final Path folder;
    private final List<Double> ours = new ArrayList<>();
    private final List<Double> locks = new ArrayList<>();

    LeaseCost(boolean quick, Path folder) {
        this.samples = quick ? 5_000 : 20_000;
        this.folder = folder;
    }

    List<Figure> run() throws IOException, InterruptedException {
        DevicePool pool = DeviceSource.open(folder.resolve("pool"));
        try (FileChannel first = channel("first");
                FileChannel second = channel("second")) {
            for (int i = 0; i < WARM_UP + samples; i++) {
                long begin = System.nanoTime();
                lease(pool);
                long between = System.nanoTime();
                lock(first, second);
                long end = System.nanoTime();
                if (i >= WARM_UP) {
                    ours.add((between - begin) / 1e3);
                    locks.add((end - between) / 1e3);
                }
            }
        }
        return List.of(figure("p50", 0.5, GOAL), figure("p99", 0.99, Double.NaN));
    }

    private Figure figure(String name, double q, double goal) {
        return new Figure(
                "lease and release 2 of 8, alone, " + name,
                Quantile.of(ours, q),
                "us",
                goal,
                PEER,
                Quantile.of(locks, q));
    }

    private FileChannel channel(String name) throws IOException {
        return FileChannel.open(folder.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void lease(DevicePool pool) throws InterruptedException {
        pool.lease(DeviceSource.request(2), Duration.ZERO).close();
    }

    private static void lock(FileChannel first, FileChannel second) throws IOException {
        try (FileLock one = first.tryLock();
                FileLock other = second.tryLock()) {
            if (one == null || other == null) {
                throw new IllegalStateException("another process uses the files");
            }
        }
    }
}
