package org.rankunit.pool;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

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
        AtomicBoolean stopped = new AtomicBoolean();
        List<Thread> storms = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            int holder = holder(number, thread);
            storms.add(new Thread(() -> storm(pool, claims, holder, stopped)));
        }
        storms.forEach(Thread::start);
        System.out.println("storming");
        System.in.transferTo(OutputStream.nullOutputStream());
        // Not in the middle of a claim: the other processes storm on.
        stopped.set(true);
        for (Thread storm : storms) {
            storm.join();
        }
    }

    private static void storm(DevicePool pool, Claims claims, int holder, AtomicBoolean stopped) {
        Random random = new Random(holder);
        try {
            while (!stopped.get()) {
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
