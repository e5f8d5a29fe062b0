package org.rankunit.pool;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Program: lease and give back 1 to 3 of 4 devices many times on two threads, and claim them meanwhile.
 *
 * <p>Arguments: folder, file of the {@link Claims}, number of this process, leases per thread.
 */
final class ForeignChurner {

    static final int DEVICES = 4;
    static final int THREADS = 2;

    private ForeignChurner() {}

    public static void main(String[] arguments) throws Exception {
        DevicePool pool = Pools.pool(Path.of(arguments[0]), DEVICES);
        Claims claims = Claims.in(Path.of(arguments[1]));
        int number = Integer.parseInt(arguments[2]);
        int leases = Integer.parseInt(arguments[3]);
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int holder = 1 + number * THREADS + thread;
            running.add(threads.submit(() -> {
                churn(pool, claims, holder, leases);
                return null;
            }));
        }
        for (Future<?> thread : running) {
            thread.get();
        }
        threads.shutdown();
        System.out.println("done");
    }

    private static void churn(DevicePool pool, Claims claims, int holder, int leases) throws Exception {
        Random random = new Random(holder);
        for (int i = 0; i < leases; i++) {
            try (DeviceLease lease = pool.lease(Pools.devices(1 + random.nextInt(3)), Pools.SOON.multipliedBy(3))) {
                claims.fill(lease, holder);
                Thread.onSpinWait();
                claims.empty(lease, holder);
            }
        }
    }
}
