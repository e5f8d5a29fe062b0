package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.rankunit.DeviceCount;
import org.rankunit.RankContext;

/** Not a sample: checks that each emulated execution of this module's pom runs on what it is named after. */
@DeviceCount(1)
class EmulatedDevicesTest {

    @Test
    void theTestsRunOnThePlatformThatTheExecutionIsNamedAfter(RankContext rank) {
        assertThat(rank.platform()).isEqualTo(System.getenv("RANKUNIT_EMULATED_PLATFORM"));
    }

    @Test
    void theVendorsLibrariesAreOfTheVersionThatTheExecutionIsNamedAfter() throws IOException {
        Path folder = Path.of(System.getenv("LD_LIBRARY_PATH")).toRealPath();
        try (Stream<String> mapped = Files.lines(Path.of("/proc/self/maps"))) {
            assertThat(mapped.filter(line -> line.contains("libascendcl")))
                    .allMatch(line -> line.contains(folder + "/"))
                    .isNotEmpty();
        }
    }
}
