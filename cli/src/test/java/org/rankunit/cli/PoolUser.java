package org.rankunit.cli;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import org.rankunit.pool.DeviceLease;
import org.rankunit.pool.DevicePool;
import org.rankunit.pool.LeaseRequest;
import org.rankunit.pool.PoolConfig;
import org.rankunit.pool.inventory.Inventory;

/**
 * Program: hold a lease until standard input ends.
 *
 * <p>Arguments: folder, number of devices there are, number to lease, test.
 */
final class PoolUser {

    static final String PLATFORM = "a2a3sim";

    private static final Duration LONG = Duration.ofMinutes(2);

    private PoolUser() {}

    public static void main(String[] arguments) throws Exception {
        endWithInput();
        LeaseRequest request = new LeaseRequest(PLATFORM, Integer.parseInt(arguments[2]), arguments[3]);
        try (DeviceLease lease =
                pool(Path.of(arguments[0]), Integer.parseInt(arguments[1])).lease(request, LONG)) {
            System.out.println(lease.devices().isEmpty() ? "nothing" : "leased");
            Thread.currentThread().join();
        }
    }

    static DevicePool pool(Path folder, int devices) {
        return DevicePool.open(PoolConfig.defaults().in(folder).with(Inventory.ofFirst(devices, PLATFORM)));
    }

    /** Also where this waits: the test's end closes the pipe, so this never outlives it. */
    private static void endWithInput() {
        Thread watch = new Thread(() -> {
            try {
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (java.io.IOException e) {
                System.err.println(e);
            }
            Runtime.getRuntime().halt(0);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
