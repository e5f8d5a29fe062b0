package org.rankunit.pool;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.rankunit.pool.inventory.Inventory;
import org.rankunit.pool.lock.Deadline;
import org.rankunit.pool.lock.PoolFiles;
import org.rankunit.pool.lock.PoolFolder;
import org.rankunit.pool.queue.PlatformQueues;

/** Pools, requests and waits as the tests of this package need them. */
public final class Pools {

    public static final String PLATFORM = "a2a3sim";
    public static final Duration SOON = Duration.ofSeconds(10);

    private Pools() {}

    public static DevicePool pool(Path folder, int devices) {
        return DevicePool.open(new PoolConfig(folder, Map.of()).with(Inventory.ofFirst(devices, PLATFORM)));
    }

    public static LeaseRequest devices(int count) {
        return request(count, "PoolTest");
    }

    public static LeaseRequest request(int count, String test) {
        return new LeaseRequest(PLATFORM, count, test);
    }

    public static List<Integer> free(DevicePool pool) {
        return pool.status(PLATFORM).stream()
                .filter(status -> status.state() == DeviceState.FREE)
                .map(DeviceStatus::device)
                .toList();
    }

    /** How many threads of this JVM stand in line for the platform. */
    public static int waiting(Path folder) throws Exception {
        return PlatformQueues.of(PoolFiles.at(PoolFolder.prepare(folder)))
                .queue(PLATFORM)
                .length();
    }

    public static void await(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.after(SOON);
        while (!condition.getAsBoolean()) {
            if (deadline.hasPassed()) {
                throw new AssertionError("waited " + SOON + " until " + what);
            }
            LockSupport.parkNanos(200_000);
        }
    }
}
