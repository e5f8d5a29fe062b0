package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.BlameCases;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.launch.local.RunLeftovers;

/** A test leaves something behind on its ranks: the tests after it are not blamed, and it is named. */
@Tag("ranks")
@Timeout(120)
class BlameRunsTest {

    private static EngineRun run;
    private static Notes notes;
    private static RunLeftovers leftovers;

    @BeforeAll
    static void runAll(@TempDir Path temp) throws IOException {
        notes = Notes.in(temp);
        leftovers = RunLeftovers.watch(temp);
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "4"),
                BlameCases.LeavesAnEmptyClassLoader.class,
                BlameCases.AfterAnEmptyClassLoader.class,
                BlameCases.LeavesFilesOpen.class,
                BlameCases.Next.class,
                BlameCases.TakesBothStreams.class,
                BlameCases.LeavesAThreadThatAborts.class,
                BlameCases.LeavesAThreadThatCrashes.class,
                BlameCases.LeavesAThreadThatEndsItsProcess.class);
    }

    @AfterAll
    static void forget() {
        notes.close();
        leftovers.close();
    }

    @Test
    void aTestThatTakesBothStreamsFailsAloneAndNamesBoth() {
        Class<?> type = BlameCases.TakesBothStreams.class;

        assertThat(run.results(type))
                .containsExactly("FAILED aTakesThem(RankContext)", "SUCCESSFUL bPasses(RankContext)");
        assertThat(run.containers(type)).allMatch(line -> line.startsWith("SUCCESSFUL"));
        assertThat(run.message(type, "aTakesThem(RankContext)")).contains("System.out is null");
        assertThat(run.failure(type, "aTakesThem(RankContext)"))
                .hasStackTraceContaining("System.err is null: the test changed it and must restore it");
    }

    @Test
    void aThreadThatATestHasLeftIsNamedWithThatTestWhenItAborts() {
        assertThat(struck(BlameCases.LeavesAThreadThatAborts.class))
                .containsPattern(
                        "thread \"late\", which \\S+\\$LeavesAThreadThatAborts.aLeavesAThread has left running:"
                                + " struck");
    }

    @Test
    void aThreadThatATestHasLeftIsNamedWithThatTestWhenItCrashesTheJvm() {
        assertThat(struck(BlameCases.LeavesAThreadThatCrashes.class))
                .containsPattern("crashed in native code and was ended by SIGSEGV, on a thread that"
                        + " \\S+\\$LeavesAThreadThatCrashes.aLeavesAThread has left running");
    }

    @Test
    void aThreadThatATestHasLeftIsNamedWithThatTestWhenItAbortsTheProcess() {
        assertThat(struck(BlameCases.LeavesAThreadThatEndsItsProcess.class))
                .containsPattern("was killed by SIGABRT \\(exit code 134\\), on a thread that"
                        + " \\S+\\$LeavesAThreadThatEndsItsProcess.aLeavesAThread has left running");
    }

    private static String struck(Class<?> type) {
        assertThat(run.results(type))
                .containsExactly("SUCCESSFUL aLeavesAThread(RankContext)", "FAILED bIsStruck(RankContext)");
        return run.message(type, "bIsStruck(RankContext)");
    }

    @Test
    void ranksOnWhichATestHasMadeAClassUnfindableAreReplaced() {
        assertThat(run.results(BlameCases.AfterAnEmptyClassLoader.class))
                .containsExactly("SUCCESSFUL passes(RankContext)");
        assertThat(run.output())
                .containsPattern(
                        "BlameCases\\$AfterAnEmptyClassLoader \\[2 ranks, a2a3sim\\] needs new ranks to continue:"
                                + " rank 1: Jupiter found these tests during discovery, but not in this rank: .*;"
                                + " java.lang.ClassNotFoundException: ");
    }

    @Test
    void aTestThatLeavesItsFilesOpenIsNamedAndTheNextClassRunsOnNewRanks() {
        assertThat(run.results(BlameCases.LeavesFilesOpen.class))
                .containsExactly("SUCCESSFUL aPasses(RankContext)", "SUCCESSFUL bLeavesFilesOpen(RankContext)");
        assertThat(run.results(BlameCases.Next.class)).containsExactly("SUCCESSFUL passes(RankContext)");
        assertThat(run.output())
                .containsPattern(
                        "rankunit: \\S*BlameCases\\$Next \\[2 ranks, a2a3sim\\] needs new ranks to continue: rank 1"
                                + " has 1000 of 1000 file descriptors open, of which \\S*BlameCases\\$LeavesFilesOpen.bLeavesFilesOpen"
                                + " has left \\d{3} open, more than any other");
    }
}
