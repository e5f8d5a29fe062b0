package org.example;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Two tests that can pass only at the same time. */
final class Meeting {

    private static final Path PLACE = Path.of(System.getProperty("meeting.place"));

    private Meeting() {}

    static void of(String me, String other) throws Exception {
        Files.createDirectories(PLACE);
        Files.writeString(PLACE.resolve(me), "");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.exists(PLACE.resolve(other))) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError(other + " does not come");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
