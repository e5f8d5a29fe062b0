package org.rankunit.benchmarks.pool;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;

/** A process that takes devices many times, gives them back at once, and prints how many nanoseconds it waited for each. */
final class Churner {

    private static final int WIDEST = 4;

    private Churner() {}

    /** Arguments: kind of {@link DeviceSource}, folder, number of this process, how often. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Path.of(args[1]);
        DeviceSource source = DeviceSource.of(DeviceSource.Kind.valueOf(args[0]), folder);
        DeviceClaims claims = new DeviceClaims(folder.resolve("claims"));
        int holder = 1 + Integer.parseInt(args[2]);
        int times = Integer.parseInt(args[3]);
        Random random = new Random(holder);
        System.out.println("ready");
        if (System.in.read() < 0) {
            return;
        }
        StringBuilder waits = new StringBuilder();
        for (int i = 0; i < times; i++) {
            int count = 1 + random.nextInt(WIDEST);
            long begin = System.nanoTime();
            try (DeviceSource.Held held = source.take(count)) {
                waits.append(System.nanoTime() - begin).append(' ');
                claims.fill(held.devices(), holder);
                claims.empty(held.devices(), holder);
            }
        }
        System.out.println(waits.toString().strip());
    }
}
