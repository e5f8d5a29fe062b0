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
import org.rankunit.engine.cases.LeftWorkCases;

/** A test is not over before the work on its streams is, and passes only if that has ended well. */
@Tag("ranks")
@Timeout(120)
class LeftWorkRunsTest {

    private static EngineRun run;

    @BeforeAll
    static void runAll(@TempDir Path folder) throws IOException {
        Path kernels = folder.resolve("kernels");
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/fails.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fails(const uint64_t *args, int) { return static_cast<int>(args[0]); }
                """);
        Files.writeString(kernels.resolve("aiv/late.cpp"), """
                #include <rankunit/kernel.h>
                #include <unistd.h>
                RANKUNIT_KERNEL int late(const uint64_t *args, int) {
                    usleep(300'000);
                    *rankunit_pointer<int32_t>(args[0]) = 7;
                    return 0;
                }
                """);
        run = EngineRun.of(
                folder,
                Map.of("rankunit.kernel-sources", kernels.toString()),
                LeftWorkCases.class,
                LeftWorkCases.InAfterAll.class,
                LeftWorkCases.BeforeAnAssumption.class);
    }

    private static String message(String method) {
        return EngineRun.withoutNumbers(run.message(LeftWorkCases.class, method + "(RankContext)"))
                .replaceAll("(stream|task) \\d+", "$1 N");
    }

    @Test
    void onlyWorkThatHasNotEndedWellMakesItsTestFail() {
        assertThat(run.results(LeftWorkCases.class))
                .containsExactlyInAnyOrder(
                        "FAILED aKernelThatFailsUnseen(RankContext)",
                        "SUCCESSFUL bKernelThatTakesItsTime(RankContext)",
                        "SUCCESSFUL cTestAfterIt(RankContext)",
                        "FAILED dWaitThatIsLeft(RankContext)",
                        "SUCCESSFUL eWaitThatTheOtherRankEnds(RankContext)",
                        "FAILED fGraphThatIsOnlyClosed(RankContext)",
                        "SUCCESSFUL gFailureThatIsExpected(RankContext)",
                        "SUCCESSFUL hWindowOfARankThatHasEnded(RankContext)",
                        "SUCCESSFUL iTestAfterIt()");
    }

    @Test
    void theKernelItsCodeAndTheLineOfTheLaunchAreNamed() {
        assertThat(run.message(LeftWorkCases.class, "aKernelThatFailsUnseen(RankContext)"))
                .contains("failed on rank 1")
                .containsPattern("at the end of the test: stream 1, work 1 \\(the launch of kernel \"fails\","
                        + " LeftWorkCases\\.java:\\d+\\): kernel \"fails\" returned 42");
    }

    @Test
    void whatMethodsOfAClassLeaveMakesTheClassFail() {
        assertThat(run.containers(LeftWorkCases.InAfterAll.class))
                .containsExactly("FAILED " + LeftWorkCases.InAfterAll.class.getName());
        assertThat(run.containers(LeftWorkCases.BeforeAnAssumption.class))
                .containsExactly("FAILED " + LeftWorkCases.BeforeAnAssumption.class.getName());
    }

    @Test
    void theWaitThatIsLeftIsNamed() {
        assertThat(message("dWaitThatIsLeft"))
                .contains("failed on rank 0")
                .contains("the host waits for stream N, and stream N waits for the cell at ");
    }

    @Test
    void theTaskOfTheGraphIsNamed() {
        assertThat(message("fGraphThatIsOnlyClosed"))
                .contains("failed on ranks 0, 1")
                .contains("task N \"sum\"")
                .contains("returned 7");
    }
}
