package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.cases.RaceCases.BetweenLaunches;
import org.rankunit.engine.cases.RaceCases.BetweenRanks;
import org.rankunit.engine.cases.RaceCases.BetweenStreams;
import org.rankunit.engine.cases.RaceCases.BetweenTasks;
import org.rankunit.engine.cases.RaceCases.LongRecords;
import org.rankunit.engine.cases.RaceCases.PolledByHost;
import org.rankunit.engine.cases.RaceCases.ThroughPointers;

/** Whole runs of programs whose result does not show that nothing orders their accesses to memory. */
@Tag("ranks")
@Timeout(120)
class RaceRunsTest {

    @TempDir
    Path folder;

    private final Map<String, String> parameters = new HashMap<>();

    /** The place of a line of the cases. */
    private static String lineWith(String text) throws IOException {
        List<String> lines = Files.readAllLines(Path.of(System.getProperty("basedir", ""))
                .toAbsolutePath()
                .resolve("src/test/java/org/rankunit/engine/cases/RaceCases.java"));
        int line = IntStream.range(0, lines.size())
                .filter(i -> lines.get(i).contains(text))
                .findFirst()
                .orElseThrow();
        return "RaceCases.java:" + (line + 1);
    }

    private EngineRun run(Class<?> type) {
        return EngineRun.of(folder, parameters, type);
    }

    @Test
    void betweenRanksASignalThatIsWaitedForOrABarrierMakesAnOrder() throws IOException {
        EngineRun run = run(BetweenRanks.class);

        assertThat(run.results(BetweenRanks.class))
                .containsExactly(
                        "SUCCESSFUL aWaitForTheSignal(RankContext)",
                        "FAILED bNoWait(RankContext)",
                        "FAILED cSignalThatNobodySees(RankContext)",
                        "SUCCESSFUL dBarrier(RankContext)",
                        "FAILED eRoundsThatAreNotNumbered(RankContext)",
                        "SUCCESSFUL fRoundsThatAreNumbered(RankContext)");
        assertThat(run.message(BetweenRanks.class, "eRoundsThatAreNotNumbered(RankContext)"))
                .contains(
                        "stale signal: bytes [0, 4) of the window of rank 1 still had their value from the last round",
                        "waited for GE 1 again by rank 1, stream ",
                        " at " + lineWith("stream.waitUntil(rank.semaphoreBase(), Comparison.GE, 1)"),
                        ", which no wait needs");
        assertThat(run.message(BetweenRanks.class, "bNoWait(RankContext)"))
                .contains(
                        "failed the simulator's checks; all ranks passed",
                        "race: two unordered accesses to bytes [0, 64) of `box` of rank 1\n",
                        "written by rank 0, stream 2: a copy",
                        "read by rank 1, stream 2: a copy")
                .contains(
                        "written by rank 0, stream 2: a copy at " + lineWith("stream.copy(boxOfPeer(rank)")
                                + ", called at " + lineWith("send(rank, false, 1)") + "\n",
                        "read by rank 1, stream 2: a copy at " + lineWith("stream.copy(rank.buffer(\"own\")")
                                + ", called at " + lineWith("send(rank, false, 1)") + "\n");
        assertThat(run.message(BetweenRanks.class, "cSignalThatNobodySees(RankContext)"))
                .contains(
                        "lost signal: bytes [0, 4) of the window of rank 1 were set again before anything had waited",
                        "set to 1 by rank 0, stream ",
                        "set to 2 by rank 0, stream ");
    }

    @Test
    void betweenStreamsAnEventOrASynchronizationMakesAnOrder() throws IOException {
        EngineRun run = run(BetweenStreams.class);

        assertThat(run.results(BetweenStreams.class))
                .containsExactly(
                        "SUCCESSFUL aEvent(RankContext)",
                        "FAILED bNoEvent(RankContext)",
                        "FAILED cHostThatDoesNotSynchronize(RankContext)",
                        "FAILED dNotifyPostedTwice(RankContext)",
                        "FAILED ePostThatNobodyTakes(RankContext)",
                        "FAILED fMemoryThatNobodyWrote(RankContext)",
                        "SUCCESSFUL gCreditThatIsLeftInANotifyThatIsDestroyed(RankContext)");
        assertThat(run.message(BetweenStreams.class, "fMemoryThatNobodyWrote(RankContext)"))
                .contains(
                        "unwritten: 32 bytes at 0x",
                        " in the memory of rank 0 (bytes [32, 64) of the 64 of its allocation 1 in this test at "
                                + lineWith("long address = rank.device().allocate(") + ") were read, but nothing has"
                                + " written them",
                        "read by rank 0, host: a copy")
                .containsOnlyOnce("unwritten: ");
        assertThat(run.message(BetweenStreams.class, "ePostThatNobodyTakes(RankContext)"))
                .contains("left post: a notify was still set when the test ended", "posted by rank 0, stream ");
        assertThat(run.message(BetweenStreams.class, "bNoEvent(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [32, 64) of `x` of rank 0\n",
                        "stream 3: zeroing",
                        "stream 4: a copy");
        assertThat(run.message(BetweenStreams.class, "cHostThatDoesNotSynchronize(RankContext)"))
                .contains("read by rank 0, host: a copy", "zeroing");
        assertThat(run.message(BetweenStreams.class, "dNotifyPostedTwice(RankContext)"))
                .contains("lost post: a notify was posted while it was still set");
    }

    private void compilesFill() throws IOException {
        Path kernels = folder.resolve("kernels");
        parameters.put("rankunit.kernel-sources", kernels.toString());
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/fill.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int fill(const uint64_t *args, int) {
                    for (int i = 0; i < 4; i++) rankunit_pointer<int32_t>(args[0])[i] = static_cast<int32_t>(args[1]);
                    return 0;
                }
                """);
    }

    @Test
    void aHostThatPollsACellIsToldHowToWaitAndWhoHasCalledItsHelper() {
        EngineRun run = run(PolledByHost.class);

        assertThat(run.results(PolledByHost.class)).containsExactly("FAILED polls(RankContext)");
        assertThat(EngineRun.withoutNumbers(run.message(PolledByHost.class, "polls(RankContext)")))
                .contains(
                        "read by rank 1, host: ",
                        " at RaceCases.java:L, called at RaceCases.java:L\n",
                        "A host that reads a cell again and again does not wait for its signal. Let a stream wait, by"
                                + " Stream.waitUntil, and synchronize with it");
    }

    @Test
    void betweenLaunchesThatDeclareTheirArgumentsAnEventMakesAnOrder() throws IOException {
        compilesFill();

        EngineRun run = run(BetweenLaunches.class);

        assertThat(run.results(BetweenLaunches.class))
                .containsExactly("SUCCESSFUL aEvent(RankContext)", "FAILED bNoEvent(RankContext)");
        assertThat(run.message(BetweenLaunches.class, "bNoEvent(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [0, 16) of `x` of rank 0\n",
                        "written by rank 0, stream 3, kernel \"fill\": argument 0",
                        "written by rank 0, stream 4, kernel \"fill\": argument 0");
    }

    /** A record has room for 958 events. */
    @Test
    void onlyATestThatIsTooLongForARecordIsUnchecked() {
        parameters.put("rankunit.sim.record-size", "64KiB");

        EngineRun run = run(LongRecords.class);

        assertThat(run.results(LongRecords.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL a(RankContext)",
                        "SUCCESSFUL b(RankContext)",
                        "FAILED c(RankContext)",
                        "SUCCESSFUL d(RankContext)");
        assertThat(run.messages().get(0))
                .contains("not checked for races: the log of rank 0 is full", "rankunit.sim.record-size");
    }

    private void compilesPokeAndPeek() throws IOException {
        Path kernels = folder.resolve("kernels");
        parameters.put("rankunit.kernel-sources", kernels.toString());
        Files.createDirectories(kernels.resolve("aiv"));
        Files.writeString(kernels.resolve("aiv/poke.cpp"), """
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int poke(const uint64_t *args, int) {
                    int32_t *to = rankunit_pointer<int32_t>(args[0]);
                    for (int i = 0; i < 8; i++) {
                        to[i] = 7;
                    }
                    return 0;
                }
                """);
        Files.writeString(kernels.resolve("aiv/peek.cpp"), """
                #include <cstring>
                #include <rankunit/kernel.h>
                RANKUNIT_KERNEL int peek(const uint64_t *args, int) {
                    int32_t local[4];
                    std::memcpy(local, rankunit_pointer<int32_t>(args[0] + 16), sizeof(local));
                    return local[0] == 0 || local[0] == 7 ? 0 : 1;
                }
                """);
    }

    @Test
    void whatKernelsAccessThroughPointersIsCheckedByteByByte() throws IOException {
        compilesPokeAndPeek();
        parameters.put("rankunit.sim.check", "bytes");

        EngineRun run = run(ThroughPointers.class);

        assertThat(run.results(ThroughPointers.class))
                .containsExactly("SUCCESSFUL aBarrier(RankContext)", "FAILED bNoBarrier(RankContext)");
        assertThat(run.message(ThroughPointers.class, "bNoBarrier(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [16, 32) of `box` of rank 1\n",
                        "written by rank 0, stream 2, kernel \"poke\" on vector core 0: through a pointer at kernels/aiv/poke.cpp:5\n",
                        "read by rank 1, stream 2, kernel \"peek\" on vector core 0: through a pointer at kernels/aiv/peek.cpp:5\n");
    }

    @Test
    void whatKernelsAccessThroughPointersIsNotSeenUnlessAskedFor() throws IOException {
        compilesPokeAndPeek();

        assertThat(run(ThroughPointers.class).results(ThroughPointers.class))
                .allMatch(result -> result.startsWith("SUCCESSFUL "));
    }

    @Test
    void betweenTasksAnEdgeMakesAnOrder() throws IOException {
        compilesFill();

        EngineRun run = run(BetweenTasks.class);

        assertThat(run.results(BetweenTasks.class))
                .containsExactly("SUCCESSFUL aEdge(RankContext)", "FAILED bNoEdge(RankContext)");
        assertThat(run.message(BetweenTasks.class, "bNoEdge(RankContext)"))
                .contains(
                        "written by rank 0, task 1 (kernel \"fill\") of graph \"two writers\": argument 0 at RaceCases.java:",
                        "written by rank 0, task 2 (kernel \"fill\") of graph \"two writers\": argument 0",
                        "No edge, event, notify, semaphore, barrier or lock");
    }

    @Test
    void aStepThatIsLeftOutOnPurposeIsNamedAndMissed() {
        parameters.put("rankunit.sim.mutate", "1:cell-wait:1");

        EngineRun run = run(BetweenRanks.class);

        assertThat(run.message(BetweenRanks.class, "aWaitForTheSignal(RankContext)"))
                .contains(
                        "race: two unordered accesses to bytes [0, 64) of `box` of rank 1\n",
                        "left out on purpose: cell-wait 1 of rank 1, host (rankunit.sim.mutate)\n");
        // its last wait is after a barrier, which makes the same order
        assertThat(run.message(BetweenRanks.class, "cSignalThatNobodySees(RankContext)"))
                .contains("left out on purpose: cell-wait 1 of rank 1, host");
        assertThat(run.results(BetweenRanks.class)).contains("SUCCESSFUL dBarrier(RankContext)");
    }

    @Test
    void theChecksCanBeSwitchedOff() {
        parameters.put("rankunit.sim.check", "off");

        assertThat(run(BetweenStreams.class).results(BetweenStreams.class))
                .allMatch(result -> result.startsWith("SUCCESSFUL "));
    }
}
