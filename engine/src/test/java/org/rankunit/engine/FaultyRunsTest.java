package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.RankContext;
import org.rankunit.engine.cases.DiskCases;
import org.rankunit.engine.cases.Fault;
import org.rankunit.engine.cases.FaultCases;
import org.rankunit.engine.cases.MadeKernel;
import org.rankunit.engine.cases.Moment;
import org.rankunit.engine.cases.Notes;
import org.rankunit.engine.cases.Strike;
import org.rankunit.engine.cases.StrikeAgent;
import org.rankunit.engine.launch.local.RunLeftovers;

/** One rank goes wrong: its test says which and how long before any time-out, the next one passes, and nothing is left. */
@Tag("ranks")
@Timeout(120)
class FaultyRunsTest {

    private static Path folder = Path.of("");
    private static EngineRun run;
    private static Notes notes;
    private static RunLeftovers leftovers;

    @BeforeAll
    static void runAll(@TempDir Path temp) throws Exception {
        folder = temp;
        MadeKernel.thatWritesNowhere("nowhere");
        notes = Notes.in(temp);
        leftovers = RunLeftovers.watch(temp);
        Path temporary = Files.createDirectory(temp.resolve("temporary"));
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "4", "rankunit.jvm-args", "-Xmx64m -Djava.io.tmpdir=" + temporary),
                FaultCases.Deaths.class,
                FaultCases.BadWords.class,
                FaultCases.Flood.class,
                FaultCases.Interrupted.class,
                FaultCases.Children.class);
    }

    @AfterAll
    static void forget() {
        notes.close();
        leftovers.close();
    }

    @Test
    void eachTestHasOneResultAndTheNextOnePasses() {
        assertThat(run.results(FaultCases.Deaths.class))
                .containsExactly(
                        "FAILED abortInNativeCode(RankContext)",
                        "FAILED kernelWritesNowhere(RankContext)",
                        "FAILED memoryThatIsNotThere(RankContext)",
                        "FAILED noMoreHeap(RankContext)",
                        "FAILED noMoreStack(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
        assertThat(run.results(FaultCases.BadWords.class))
                .containsExactly(
                        "FAILED closesItsChannel(RankContext)",
                        "FAILED closesItsDescriptors(RankContext)",
                        "FAILED noMessage(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)",
                        "FAILED tooLarge(RankContext)",
                        "FAILED unknownTest(RankContext)");
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void aRankThatLacksClassesOfItsOwnFailsItsTestWithTheirNames(@TempDir Path temp) {
        EngineRun broken =
                EngineRun.of(temp, Map.of("rankunit.jvm-args", "--limit-modules=java.base"), FaultCases.Flood.class);

        assertThat(broken.results(FaultCases.Flood.class)).containsExactly("FAILED ofOutput(RankContext)");
        assertThat(broken.message(FaultCases.Flood.class, "ofOutput(RankContext)"))
                .containsPattern("rank [01] \\(device [01]\\) bootstrap failed while")
                .contains("java.lang.NoClassDefFoundError: java/");
    }

    @Test
    void anAbortInNativeCodeIsToldWithItsSignal() {
        assertThat(told(FaultCases.Deaths.class, "abortInNativeCode"))
                .contains("was killed by SIGABRT (exit code 134)")
                .containsPattern(
                        "rank 0 was released from barrier #\\d+ \\(FaultCases\\.java:\\d+\\) because rank 1 failed");
    }

    @Test
    void aCrashIsToldWithTheHeadOfTheReportOfTheJvm() throws IOException {
        String message = told(FaultCases.Deaths.class, "memoryThatIsNotThere");

        assertThat(message)
                .contains("crashed in native code", "SIGSEGV (0xb)", "libjnidispatch", "rank 0 was released")
                .contains("org.rankunit.engine.cases.FaultCases$Deaths.memoryThatIsNotThere");
        Path report = Path.of(message.replaceFirst("(?s).*whole report: (\\S+).*", "$1"));
        assertThat(report).startsWith(folder.resolve("out/logs")).isNotEmptyFile();
    }

    @Test
    void aKernelThatCrashesIsToldWithItsLineOfSourceAndThatOfTheTestFirst() {
        assertThat(told(FaultCases.Deaths.class, "kernelWritesNowhere"))
                .containsPattern(String.join(
                        "\n *",
                        "crashed in native code and .*; its last lines:",
                        "in deep\\(int volatile\\*\\) at .*nowhere.cpp:42 \\(libnowhere.so\\+0x\\w+\\)",
                        "from nowhere at .*nowhere.cpp:45 \\(libnowhere.so\\+0x\\w+\\)",
                        "\\(\\d+ frames of RankUnit and JNA\\)",
                        "from org.rankunit.engine.cases.FaultCases\\$Deaths.kernelWritesNowhere\\(FaultCases.java:\\d+\\)",
                        "SIGSEGV \\(0xb\\) .*",
                        "problematic frame: C +\\[libnowhere.so.*",
                        "whole report: "));
    }

    @Test
    void aRankThatRunsOutOfMemoryIsToldWithTheErrorAndItsPlace() {
        assertThat(told(FaultCases.Deaths.class, "noMoreHeap"))
                .contains("java.lang.OutOfMemoryError: Java heap space", "rank 0 was released");
        assertThat(run.failure(FaultCases.Deaths.class, "noMoreHeap(RankContext)")
                        .getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("noMoreHeap"));
    }

    @Test
    void aRankThatRunsOutOfStackIsToldWithTheError() {
        assertThat(told(FaultCases.Deaths.class, "noMoreStack"))
                .contains("java.lang.StackOverflowError", "rank 0 was released");
    }

    @Test
    void aRankThatClosesItsChannelIsToldSo() {
        assertThat(told(FaultCases.BadWords.class, "closesItsChannel"))
                .contains("ended itself: its control channel was closed by the test", "rank 0 was released")
                .doesNotContain("SIGKILL");
    }

    @Test
    void aRankThatClosesTheDescriptorsOfItsChannelIsToldSo() {
        assertThat(told(FaultCases.BadWords.class, "closesItsDescriptors"))
                .contains("ended itself: its control channel was closed by the test")
                .doesNotContain("SIGKILL");
    }

    @Test
    void aRankThatSaysWhatIsNoMessageIsToldWhatWasHeard() {
        assertThat(told(FaultCases.BadWords.class, "noMessage"))
                .contains("sent something that is not a message: Unrecognized token 'what'", "rank 0 was released");
    }

    @Test
    void aRankThatSaysMoreThanIsAllowedIsToldTheLimit() {
        assertThat(told(FaultCases.BadWords.class, "tooLarge"))
                .contains("a message of 1073741824 bytes; at most 16777216 are allowed", "rank 0 was released");
    }

    @Test
    void aRankThatTellsOfATestThatCannotBeIsToldSo() {
        assertThat(told(FaultCases.BadWords.class, "unknownTest"))
                .contains("sent an invalid message (Registered): nonsense is not within", "rank 0 was released");
    }

    @Test
    void aFloodOfOutputStaysInTheLogButForItsBeginning() throws IOException {
        assertThat(run.results(FaultCases.Flood.class)).containsExactly("SUCCESSFUL ofOutput(RankContext)");
        assertThat(run.output(FaultCases.Flood.class, "ofOutput(RankContext)"))
                .hasSizeBetween(256 << 10, 300 << 10)
                .containsPattern("… 6[67]\\d{6} more bytes in " + folder);
    }

    @Test
    void aTestMayLeaveItsThreadInterrupted() {
        assertThat(run.results(FaultCases.Interrupted.class))
                .containsExactly("SUCCESSFUL leftInterrupted(RankContext)", "SUCCESSFUL thenPasses(RankContext)");
    }

    @Test
    void processesOfARankEndWithIt() throws IOException {
        assertThat(run.results(FaultCases.Children.class))
                .containsExactly(
                        "FAILED ofARankThatIsKilled(RankContext)", "SUCCESSFUL ofARankThatPasses(RankContext)");
        assertThat(Stream.of(0, 1).flatMap(FaultyRunsTest::children))
                .hasSize(12)
                .noneMatch(pid -> RunLeftovers.isAlive(Long.parseLong(pid)));
    }

    private static Stream<String> children(int rank) {
        try {
            return notes.of(rank, "child ").stream();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void aRankThatIsKilledInItsBringUpFailsNoTestButIsToldAndTriedAgain(@TempDir Path temp) throws IOException {
        EngineRun killed = runStruckAtStart(temp, Fault.SIGKILL);

        assertThat(killed.results(DiskCases.Plain.class)).isNotEmpty().allMatch(line -> line.startsWith("SUCCESSFUL"));
        assertThat(killed.output())
                .containsOnlyOnce(" is brought up again: rank 1 (device 1) was killed by SIGKILL (exit code 137)");
        assertThat(killed.reportEntries())
                .hasSize(1)
                .first()
                .asString()
                .contains(
                        "rankunit.retried=",
                        "run on ranks that were brought up again, since rank 1 (device 1) was killed")
                .contains(" before it was up; it did not fail on ");
    }

    @Test
    void aRankThatEndsByItselfInItsBringUpIsNotTriedAgain(@TempDir Path temp) throws IOException {
        EngineRun ended = runStruckAtStart(temp, Fault.EXIT);

        assertThat(ended.results(DiskCases.Plain.class)).isNotEmpty().allMatch(line -> line.startsWith("FAILED"));
        assertThat(ended.output()).doesNotContain("brought up again");
    }

    private static EngineRun runStruckAtStart(Path temp, Fault fault) throws IOException {
        return EngineRun.of(
                temp,
                Map.of(
                        "rankunit.sim.devices",
                        "2",
                        "rankunit.jvm-args",
                        String.join(
                                " ",
                                "-javaagent:" + StrikeAgent.jarIn(temp),
                                new Strike(fault, Moment.START, 1, 0, temp).asArgument(),
                                Notes.asArgument(temp))),
                DiskCases.Plain.class);
    }

    @Test
    void theDeviceOfARankThatWasKilledIsSuspectUntilALeaseOfItEndsWell(@TempDir Path temp) throws IOException {
        try (RunLeftovers own = RunLeftovers.watch(temp)) {
            EngineRun.of(
                    temp,
                    Map.of("rankunit.sim.devices", "2"),
                    List.of(selectMethod(FaultCases.BadWords.class, "unknownTest", RankContext.class)));
            assertThat(own.suspicions(2)).hasSize(1).first().asString().contains("device 1: rank 1 ", ", see ");

            EngineRun.of(temp, Map.of("rankunit.sim.devices", "2"), DiskCases.Plain.class);
            assertThat(own.suspicions(2)).isEmpty();
        }
    }

    @Test
    void nothingIsLeft() throws IOException {
        assertThat(leftovers.all(4)).isEmpty();
        assertThat(folder.resolve("temporary")).isEmptyDirectory();
    }

    private static String told(Class<?> type, String test) {
        String message = run.message(type, test + "(RankContext)");
        assertThat(message)
                .startsWith(
                        "FaultCases." + type.getSimpleName() + "." + test + " [2 ranks, a2a3sim] failed on rank 1\n");
        return message;
    }
}
