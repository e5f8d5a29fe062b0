package org.rankunit.pool;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Random;

/**
 * Program: lease and give back random numbers of devices on several threads until standard input ends, and claim them meanwhile.
 *
 * <p>Arguments: folder, file of the {@link Claims}, number of this process.
 */
final class ForeignStormer {

    static final int DEVICES = 6;
    static final int THREADS = 3;

    private ForeignStormer() {}

    /** The number by which a thread of a process claims devices. */
    static int holder(int process, int thread) {
        return 1 + process * THREADS + thread;
    }

    public static void main(String[] arguments) throws Exception {
        DevicePool pool = Pools.pool(Path.of(arguments[0]), DEVICES);
        Claims claims = Claims.in(Path.of(arguments[1]));
        int number = Integer.parseInt(arguments[2]);
        for (int thread = 0; thread < THREADS; thread++) {
            int holder = holder(number, thread);
            Thread storm = new Thread(() -> storm(pool, claims, holder));
            storm.setDaemon(true);
            storm.start();
        }
        System.out.println("storming");
        System.in.transferTo(OutputStream.nullOutputStream());
        System.exit(0);
    }

    private static void storm(DevicePool pool, Claims claims, int holder) {
        Random random = new Random(holder);
        try {
            while (true) {
                LeaseRequest request = Pools.request(1 + random.nextInt(4), "storm " + holder);
                try (DeviceLease lease = pool.lease(request, Pools.SOON.multipliedBy(6))) {
                    claims.fill(lease, holder);
                    Thread.sleep(random.nextInt(4));
                    claims.empty(lease, holder);
                }
            }
        } catch (InterruptedException | RuntimeException e) {
            System.out.println("storm " + holder + " broke: " + e);
            Runtime.getRuntime().halt(1);
        }
    }
}
