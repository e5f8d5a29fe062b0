package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.DeviceWaitCases;

/** A wait of a device that nobody will end is named long before any time-out; one that is only long is not. */
@Tag("ranks")
@Timeout(120)
class DeviceWaitRunsTest {

    private static EngineRun run;

    @BeforeAll
    static void runAll(@TempDir Path folder) throws IOException {
        Path kernels = folder.resolve("kernels");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/nothing.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int nothing(const uint64_t *, int) { return 0; }
                """);
        run = EngineRun.of(folder, Map.of("rankunit.kernel-sources", kernels.toString()), DeviceWaitCases.class);
    }

    private static String message(String method) {
        return EngineRun.withoutNumbers(run.message(DeviceWaitCases.class, method + "(RankContext)"))
                .replaceAll("(stream|notify) \\d+", "$1 N");
    }

    @Test
    void onlyWhatNobodyWillEndFails() {
        assertThat(run.results(DeviceWaitCases.class))
                .containsExactly(
                        "FAILED aNotifyThatNobodyPosts(RankContext)",
                        "FAILED bSignalThatWasForgotten(RankContext)",
                        "FAILED cBarrierInsteadOfTheSignal(RankContext)",
                        "SUCCESSFUL dSignalOfAThreadThatTakesItsTime(RankContext)",
                        "FAILED eTaskThatNobodyReleases(RankContext)");
    }

    @Test
    void theStreamAndTheNotifyAreNamed() {
        assertThat(message("aNotifyThatNobodyPosts"))
                .contains("failed on ranks 0, 1\n\n  ranks 0, 1 are at DeviceWaitCases.java:L, where the host waits for"
                        + " stream N, and stream N waits for notify N, which is not set\n");
    }

    @Test
    void theRankThatMightHaveSignalledIsToldWhereItIs() {
        assertThat(message("bSignalThatWasForgotten"))
                .contains(
                        "failed on rank 0\n\n  rank 0 is at DeviceWaitCases.java:L, where the host waits for stream N,"
                                + " and stream N waits for the cell at ")
                .contains("which is 0; rank 1 waits for the others before the next test\n");
        assertThat(message("cBarrierInsteadOfTheSignal"))
                .contains("rank 1 is in barrier #N (DeviceWaitCases.java:L); rank 0 never entered it: it is at"
                        + " DeviceWaitCases.java:L, where the host waits for stream N");
    }

    @Test
    void theTaskThatWaitsIsNamed() {
        assertThat(message("eTaskThatNobodyReleases"))
                .contains("where the host waits for a graph in which task 1 ")
                .contains(" waits for the cell at ");
    }
}
