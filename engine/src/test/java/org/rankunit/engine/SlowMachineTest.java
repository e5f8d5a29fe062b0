package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.SlowCases;
import org.rankunit.engine.launch.local.RunLeftovers;

/** To be slow is no fault: nobody is taken for dead who only does not run for a while. */
@Tag("ranks")
@Timeout(300)
class SlowMachineTest {

    @Test
    void sixteenRanksMeetOnAMachineThatIsBusyWithOtherThings(@TempDir Path folder) throws IOException {
        List<Process> busy = new ArrayList<>();
        try (RunLeftovers leftovers = RunLeftovers.watch(folder)) {
            int cores = Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < 2 * cores; i++) {
                busy.add(new ProcessBuilder("sh", "-c", "while :; do :; done").start());
            }

            EngineRun run = EngineRun.of(folder, Map.of(), SlowCases.Crowd.class);

            assertThat(run.results(SlowCases.Crowd.class))
                    .as("%s", run.messages())
                    .containsExactly("SUCCESSFUL meetsOften(RankContext)", "SUCCESSFUL thenOnceMore(RankContext)");
            busy.forEach(Process::destroyForcibly);
            assertThat(leftovers.devicesInUse(16)).isEmpty();
        } finally {
            busy.forEach(Process::destroyForcibly);
        }
    }

    @Test
    void aRankThatIsStoppedForAWhileIsWaitedFor(@TempDir Path folder) {
        EngineRun run = EngineRun.of(folder, Map.of(), SlowCases.PausedRank.class);

        assertThat(run.results(SlowCases.PausedRank.class))
                .as("%s", run.messages())
                .containsExactly("SUCCESSFUL thenPasses(RankContext)", "SUCCESSFUL whileOthersWait(RankContext)");
    }

    /** The ranks' own time-outs go on meanwhile, and hold only where a rank waits for another. */
    @Test
    void aParentThatIsStoppedForLongerThanATestMayTakeGoesOnWhereItWas(@TempDir Path folder) throws Exception {
        ParentRun run = new ParentRun.Order(folder)
                .parameter("rankunit.test-timeout", "4s")
                .run(SlowCases.PausedParent.class);

        assertThat(run.messages()).isEmpty();
        assertThat(run.results())
                .containsExactly("SUCCESSFUL thenPasses(RankContext)", "SUCCESSFUL whileRanksGoOn(RankContext)");
    }
}
