package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;

/** A class whose group is kept, and one that works until somebody else has the devices of that group. */
public final class YieldCases {

    private YieldCases() {}

    @DeviceCount(2)
    public static class Kept {

        @Test
        void passes() {}
    }

    @DeviceCount(1)
    public static class Working {

        /** The folder is told by the system property {@code yield.folder}. */
        @Test
        void untilTheOtherDevicesAreTaken() throws IOException, InterruptedException {
            Path folder = Path.of(System.getProperty("yield.folder", ""));
            Files.createFile(folder.resolve("working"));
            long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (!Files.exists(folder.resolve("taken")) && System.nanoTime() - deadline < 0) {
                Thread.sleep(5);
            }
            assertThat(folder.resolve("taken")).exists();
        }
    }
}
