package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/** A way for processes to have devices for themselves: ours, or its peer, measured by the same code. */
@FunctionalInterface
interface DeviceSource {

    int DEVICES = 8;

    /** Devices, until they are given back. */
    interface Held extends AutoCloseable {
        List<Integer> devices();

        @Override
        void close() throws IOException;
    }

    /** Wait for {@code count} devices. */
    Held take(int count) throws IOException, InterruptedException;

    /** Use {@code folder}, which the processes share and nothing else uses. */
    static DeviceSource of(Kind kind, Path folder) throws IOException {
        return switch (kind) {
            case POOL -> pool(folder.resolve("pool"));
            case ONE_LOCK -> oneLock(folder.resolve("lock"));
        };
    }

    /** What there is to choose from. */
    enum Kind {
        POOL,
        /** One file lock around everything: no devices are counted, and one holder at a time is all there can be. */
        ONE_LOCK
    }

    private static DeviceSource pool(Path folder) {
        DevicePool pool = open(folder);
        return count -> {
            DeviceLease lease = pool.lease(request(count), Duration.ofMinutes(5));
            return new Held() {
                @Override
                public List<Integer> devices() {
                    return lease.devices();
                }

                @Override
                public void close() {
                    lease.close();
                }
            };
        };
    }

    static DevicePool open(Path folder) {
        return DevicePool.open(new PoolConfig(folder, Map.of()).with(Inventory.ofFirst(DEVICES, "bench")));
    }

    static LeaseRequest request(int count) {
        return new LeaseRequest("bench", count, "PoolSuite");
    }

    private static DeviceSource oneLock(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        return count -> {
            FileLock lock = channel.lock();
            return new Held() {
                @Override
                public List<Integer> devices() {
                    return IntStream.range(0, count).boxed().toList();
                }

                @Override
                public void close() throws IOException {
                    lock.release();
                }
            };
        };
    }
}
