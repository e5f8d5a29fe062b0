package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.engine.protocol.wire.Limits;

/** One run with real rank JVMs on the simulator, and what JUnit, the console and the disk have of it. */
@Tag("ranks")
@Timeout(300)
class RealRunsTest {

    private static final String NOTES = "fixture.notes";

    private static Path folder = Path.of("");
    private static EngineRun run;
    private static RunLeftovers leftovers;
    private static boolean memoryRanOutSomewhere;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Passing {

        @Test
        @Order(1)
        void first(RankContext rank) {
            note(rank, "first begins");
            if (rank.rank() == 1) {
                busyFor(50);
            }
            note(rank, "first ends");
        }

        @Test
        @Order(2)
        void second(RankContext rank) {
            note(rank, "second begins");
            rank.barrier();
            note(rank, "second ends");
        }

        @Test
        @Order(3)
        void prints(RankContext rank) {
            System.out.println("rank " + rank.rank() + " says hello");
        }

        @Test
        @Order(4)
        void reports(RankContext rank, TestReporter reporter) {
            reporter.publishEntry("loss", "0." + rank.rank());
        }

        @Test
        @Order(5)
        @Buffer(name = "x", type = DType.INT32, count = 4)
        void writes(RankContext rank) {
            rank.buffer("x").write(new int[] {1, 2, 3, 4});
        }

        @Test
        @Order(6)
        @Buffer(name = "x", type = DType.INT32, count = 4)
        void findsZeros(RankContext rank) {
            assertEquals("0", rank.buffer("x").read().format(2));
        }

        @Test
        @Order(7)
        void reportsMoreThanAMessageHolds(RankContext rank, TestReporter reporter) {
            reporter.publishEntry("dump", "x".repeat(Limits.MESSAGE_BYTES + 1));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Kinds {

        @Order(1)
        @ParameterizedTest
        @ValueSource(ints = {10, 20, 30})
        void parameterized(int value, RankContext rank) {
            note(rank, "parameterized " + value);
        }

        @Order(2)
        @RepeatedTest(2)
        void repeated(RankContext rank) {
            note(rank, "repeated");
        }

        @Order(3)
        @TestFactory
        Stream<DynamicTest> dynamic(RankContext rank) {
            return IntStream.of(1, 2)
                    .mapToObj(i -> DynamicTest.dynamicTest("number " + i, () -> note(rank, "dynamic " + i)));
        }

        @Order(4)
        @Test
        @Disabled("not today")
        void disabled(RankContext rank) {
            note(rank, "disabled");
        }

        @Order(5)
        @Test
        void assumesRank0(RankContext rank) {
            assumeTrue(rank.rank() == 0, "rank 0 alone has a link");
        }

        @Nested
        class Inner {

            @Test
            void inner(RankContext rank) {
                note(rank, "inner");
            }
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class PerClass {

        private int count;

        @BeforeAll
        void beforeAll(RankContext rank) {
            note(rank, "beforeAll");
        }

        @BeforeEach
        void beforeEach() {
            count++;
        }

        @Test
        @Order(1)
        void one() {}

        @Test
        @Order(2)
        void two(RankContext rank) {
            note(rank, "instance used " + count + " times");
        }

        @AfterAll
        void afterAll(RankContext rank) {
            note(rank, "afterAll");
        }
    }

    @DeviceCount(1)
    static class Single {

        @Test
        void alone(RankContext rank) {
            note(rank, "alone on " + rank.platform());
        }
    }

    @DeviceCount({2, 20})
    @Platforms("a2a3sim")
    static class TooLarge {

        @Test
        void fits() {}
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Failing {

        @Test
        @Order(1)
        void assertsOnRank1(RankContext rank) {
            assertEquals(0, rank.rank(), "rank");
        }

        @Test
        @Order(2)
        void rank0Waits(RankContext rank) {
            if (rank.rank() == 1) {
                throw new IllegalStateException("no link");
            }
            try {
                rank.barrier();
            } finally {
                note(rank, "released");
            }
        }

        @AfterEach
        void cleanUp(RankContext rank) {
            note(rank, "cleanUp");
        }

        @Test
        @Order(3)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Dying {

        @Test
        @Order(1)
        void exits(RankContext rank) {
            System.out.println("last words of rank " + rank.rank());
            if (rank.rank() == 1) {
                System.exit(7);
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void halts(RankContext rank) {
            if (rank.rank() == 0) {
                Runtime.getRuntime().halt(9);
            }
            rank.barrier();
        }

        @Test
        @Order(3)
        void isKilled(RankContext rank) throws Exception {
            if (rank.rank() == 1) {
                killMyself();
            }
            rank.barrier();
        }

        @Test
        @Order(4)
        void thenPasses(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class BeforeAllFails {

        @BeforeAll
        static void open(RankContext rank) {
            assertEquals(0, rank.rank(), "no link");
        }

        @Test
        void a(RankContext rank) {
            note(rank, "never");
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void p(int value, RankContext rank) {
            note(rank, "never");
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class FailingInvocations {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void secondFails(int value, RankContext rank) {
            note(rank, "fails " + value);
            assertEquals(false, value == 2 && rank.rank() == 1);
        }

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 3})
        void secondKillsAllRanks(int value, RankContext rank) {
            note(rank, "dies " + value);
            rank.barrier();
            if (value == 2) {
                Runtime.getRuntime().halt(9);
            }
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class FailingDynamicTests {

        @TestFactory
        Stream<DynamicTest> secondKillsRank1(RankContext rank) {
            return IntStream.of(1, 2, 3)
                    .mapToObj(i -> DynamicTest.dynamicTest("number " + i, () -> {
                        note(rank, "goes on " + i);
                        if (i == 2 && rank.rank() == 1) {
                            Runtime.getRuntime().halt(9);
                        }
                    }));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Disagreeing {

        @TestFactory
        Stream<DynamicTest> oneMoreOnRank1(RankContext rank) {
            return IntStream.rangeClosed(0, rank.rank())
                    .mapToObj(i -> DynamicTest.dynamicTest("number " + i, () -> {}));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Waiting {

        @Test
        void forRank1(RankContext rank) throws InterruptedException {
            if (rank.rank() == 1) {
                new CountDownLatch(1).await();
            }
        }
    }

    private static void note(RankContext rank, String text) {
        try {
            Files.writeString(
                    Path.of(System.getProperty(NOTES)).resolve("rank-" + rank.rank()),
                    System.nanoTime() + " " + text + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void busyFor(int millis) {
        long end = System.nanoTime() + millis * 1_000_000L;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static void killMyself() throws Exception {
        new ProcessBuilder(
                        "kill", "-KILL", String.valueOf(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        new CountDownLatch(1).await();
    }

    @BeforeAll
    static void runAll(@TempDir Path temp) throws IOException {
        folder = temp;
        System.setProperty(NOTES, temp.toString());
        leftovers = RunLeftovers.watch(temp);
        String killedBefore = killedForLackOfMemory();
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "8"),
                Passing.class,
                Kinds.class,
                PerClass.class,
                Single.class,
                TooLarge.class,
                Failing.class,
                Dying.class,
                BeforeAllFails.class,
                FailingInvocations.class,
                FailingDynamicTests.class,
                Disagreeing.class);
        memoryRanOutSomewhere = !killedForLackOfMemory().equals(killedBefore);
    }

    /** The count of the whole machine, on which {@link StarvedRunsTest} may be running beside this class. */
    private static String killedForLackOfMemory() throws IOException {
        return Files.readAllLines(Path.of("/proc/vmstat")).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .findFirst()
                .orElse("");
    }

    @AfterAll
    static void forgetTheNotes() {
        System.clearProperty(NOTES);
        leftovers.close();
    }

    @Test
    void passesOnAllRanks() {
        assertThat(run.results(Passing.class))
                .containsExactly(
                        "SUCCESSFUL first(RankContext)",
                        "SUCCESSFUL second(RankContext)",
                        "SUCCESSFUL prints(RankContext)",
                        "SUCCESSFUL reports(RankContext, TestReporter)",
                        "SUCCESSFUL writes(RankContext)",
                        "SUCCESSFUL findsZeros(RankContext)",
                        "SUCCESSFUL reportsMoreThanAMessageHolds(RankContext, TestReporter)");
    }

    @Test
    void theNextTestStartsOnNoRankBeforeThisOneHasEndedOnAll() throws IOException {
        assertThat(timesOf("second begins"))
                .allSatisfy(begin -> assertThat(timesOf("first ends"))
                        .allSatisfy(end -> assertThat(end).isLessThan(begin)));
    }

    @Test
    void outputIsLabelledWithItsRank() {
        assertThat(run.output()).contains("[rank 0] rank 0 says hello\n[rank 1] rank 1 says hello\n");
    }

    @Test
    void reportEntriesAreLabelledWithTheirRank() {
        assertThat(run.reportEntries())
                .filteredOn(entry -> !entry.startsWith("reportsMoreThanAMessageHolds"))
                .containsExactlyInAnyOrder(
                        "reports(RankContext, TestReporter) {rank 0: loss=0.0}",
                        "reports(RankContext, TestReporter) {rank 1: loss=0.1}");
    }

    @Test
    void aReportEntryIsCutBeforeItMeetsTheBoundOfAMessage() {
        String cut = "… (" + (Limits.MESSAGE_BYTES + 1 - Limits.MESSAGE_CHARS) + " more characters)}";

        assertThat(run.reportEntries())
                .filteredOn(entry -> entry.startsWith("reportsMoreThanAMessageHolds"))
                .hasSize(2)
                .allSatisfy(entry -> assertThat(entry).endsWith("x" + cut));
    }

    @Test
    void everyKindOfTestHasOneResult() {
        assertThat(run.results(Kinds.class))
                .containsExactly(
                        "SUCCESSFUL parameterized(int, RankContext)[1]",
                        "SUCCESSFUL parameterized(int, RankContext)[2]",
                        "SUCCESSFUL parameterized(int, RankContext)[3]",
                        "SUCCESSFUL repeated(RankContext)[1]",
                        "SUCCESSFUL repeated(RankContext)[2]",
                        "SUCCESSFUL dynamic(RankContext)[1]",
                        "SUCCESSFUL dynamic(RankContext)[2]",
                        "SKIPPED (not today) disabled(RankContext)",
                        "ABORTED assumesRank0(RankContext)",
                        "SUCCESSFUL inner(RankContext)");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "parameterized 10",
                "parameterized 20",
                "parameterized 30",
                "dynamic 1",
                "dynamic 2",
                "inner",
                "beforeAll",
                "instance used 2 times",
                "afterAll",
                "released",
                "fails 1",
                "fails 2",
                "fails 3",
                "dies 1",
                "dies 2",
                "dies 3",
                "goes on 1",
                "goes on 2",
                "goes on 3"
            })
    void everyBodyRunsOnceOnEachRank(String body) throws IOException {
        assertThat(ranksThatNoted(body)).isEqualTo(body.equals("released") ? List.of(0) : List.of(0, 1));
    }

    @Test
    void aRepeatedTestRunsAsOftenOnEachRank() throws IOException {
        assertThat(ranksThatNoted("repeated")).containsExactly(0, 0, 1, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"disabled", "never"})
    void whatIsDisabledOrBlamedRunsOnNoRank(String body) throws IOException {
        assertThat(ranksThatNoted(body)).isEmpty();
    }

    @Test
    void aDeviceTestForOneDeviceRunsOnOneRank() throws IOException {
        assertThat(ranksThatNoted("alone on a2a3sim")).containsExactly(0);
    }

    @Test
    void anAssumptionThatFailsOnOneRankIsSaid() {
        assertThat(run.message(Kinds.class, "assumesRank0(RankContext)"))
                .isEqualTo("rank 0 passed; rank 1 gave up: Assumption failed: rank 0 alone has a link");
    }

    @Test
    void aVariantThatNeedsTooManyDevicesIsSkippedAndTheOtherRuns() {
        assertThat(run.results(TooLarge.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL fits() [2 ranks]",
                        "SKIPPED (needs 20 devices, a2a3sim has 8 (rankunit.sim.devices)) fits() [20 ranks]");
    }

    @Test
    void aFailureIsFollowedByTheRestOfTheClassOnNewRanks() {
        assertThat(run.results(Failing.class))
                .containsExactly(
                        "FAILED assertsOnRank1(RankContext)",
                        "FAILED rank0Waits(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
    }

    @Test
    void anAssertionOnOneRankNamesIt() {
        assertThat(run.message(Failing.class, "assertsOnRank1(RankContext)"))
                .startsWith("RealRunsTest.Failing.assertsOnRank1 [2 ranks, a2a3sim] failed on rank 1\n\n"
                        + "  rank ==> expected: <0> but was: <1>\n"
                        + "  rank 0 passed\n"
                        + "  log of rank 1: " + folder.resolve("out/logs/"));
    }

    @Test
    void anAssertionsStackHasTheTestsOwnLine() {
        assertThat(run.failure(Failing.class, "assertsOnRank1(RankContext)").getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Failing.class.getName())
                        && frame.getMethodName().equals("assertsOnRank1")
                        && "RealRunsTest.java".equals(frame.getFileName())
                        && frame.getLineNumber() > 0);
    }

    @Test
    void aRankThatWaitsForOneThatFailedIsReleasedAndSaidToBe() {
        assertThat(EngineRun.withoutNumbers(run.message(Failing.class, "rank0Waits(RankContext)")))
                .startsWith(lines(
                        "RealRunsTest.Failing.rank0Waits [2 ranks, a2a3sim] failed on rank 1",
                        "",
                        "  java.lang.IllegalStateException: no link",
                        "  rank 0 was released from barrier #N (RealRunsTest.java:L) because rank 1 failed",
                        "  log of rank 1: "));
    }

    @Test
    void cleanUpRunsOnEveryRankAlsoAfterAFailure() throws IOException {
        assertThat(ranksThatNoted("cleanUp")).containsExactly(0, 0, 0, 1, 1, 1);
    }

    @Test
    void aRankThatDiesFailsItsTestAlone() {
        assertThat(run.results(Dying.class))
                .containsExactly(
                        "FAILED exits(RankContext)",
                        "FAILED halts(RankContext)",
                        "FAILED isKilled(RankContext)",
                        "SUCCESSFUL thenPasses(RankContext)");
    }

    @Test
    void anExitIsToldWithItsCodeAndTheLastLines() {
        assertThat(withoutDevice(run.message(Dying.class, "exits(RankContext)")))
                .startsWith(lines(
                        "RealRunsTest.Dying.exits [2 ranks, a2a3sim] failed on rank 1",
                        "",
                        "  its process on device N exited with code 7; its last lines:",
                        "    last words of rank 1",
                        "  rank 0 was released from barrier #N (RealRunsTest.java:L) because rank 1 failed",
                        "  log of rank 1: "));
    }

    @Test
    void aHaltIsToldWithItsCode() {
        assertThat(withoutDevice(run.message(Dying.class, "halts(RankContext)")))
                .startsWith(lines(
                        "RealRunsTest.Dying.halts [2 ranks, a2a3sim] failed on rank 0",
                        "",
                        "  its process on device N exited with code 9",
                        "  rank 1 was released from barrier #N (RealRunsTest.java:L) because rank 0 failed",
                        "  log of rank 0: "));
    }

    @Test
    void aKilledRankIsToldWithTheSignal() {
        String message = withoutDevice(run.message(Dying.class, "isKilled(RankContext)"));
        assertThat(memoryRanOutSomewhere ? message.replaceFirst("; the kernel has killed .*", "") : message)
                .startsWith(lines(
                        "RealRunsTest.Dying.isKilled [2 ranks, a2a3sim] failed on rank 1",
                        "",
                        "  its process on device N was killed by SIGKILL (exit code 137)",
                        "  rank 0 was released from barrier #N (RealRunsTest.java:L) because rank 1 failed",
                        "  log of rank 1: "));
    }

    @Test
    void aBeforeAllThatFailsOnOneRankFailsEveryTestOfItsClass() {
        assertThat(run.message(BeforeAllFails.class, "a(RankContext)"))
                .startsWith(lines(
                        "RealRunsTest.BeforeAllFails.a [2 ranks, a2a3sim] did not run: the lifecycle of RealRunsTest$BeforeAllFails failed on rank 1",
                        "",
                        "  no link ==> expected: <0> but was: <1>",
                        "  rank 0 passed",
                        "  log of rank 1: "));
    }

    @Test
    void aBeforeAllThatFailsGivesEveryTestOneResult() {
        assertThat(Stream.concat(
                        run.results(BeforeAllFails.class).stream(), run.containers(BeforeAllFails.class).stream()))
                .containsExactlyInAnyOrder(
                        "FAILED a(RankContext)",
                        "FAILED p(int, RankContext)[1]",
                        "FAILED p(int, RankContext)[2]",
                        "SUCCESSFUL p(int, RankContext)",
                        "SUCCESSFUL " + BeforeAllFails.class.getName());
    }

    @Test
    void invocationsGoOnAfterAFailureAndAfterTheDeathOfAllRanks() {
        assertThat(run.results(FailingInvocations.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL secondFails(int, RankContext)[1]",
                        "FAILED secondFails(int, RankContext)[2]",
                        "SUCCESSFUL secondFails(int, RankContext)[3]",
                        "SUCCESSFUL secondKillsAllRanks(int, RankContext)[1]",
                        "FAILED secondKillsAllRanks(int, RankContext)[2]",
                        "SUCCESSFUL secondKillsAllRanks(int, RankContext)[3]");
    }

    @Test
    void aTemplateOfFailedInvocationsDoesNotFailItself() {
        assertThat(run.containers(FailingInvocations.class))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL secondFails(int, RankContext)",
                        "SUCCESSFUL secondKillsAllRanks(int, RankContext)",
                        "SUCCESSFUL " + FailingInvocations.class.getName());
    }

    @Test
    void dynamicTestsGoOnAfterTheDeathOfARank() {
        assertThat(run.results(FailingDynamicTests.class))
                .containsExactly(
                        "SUCCESSFUL secondKillsRank1(RankContext)[1]",
                        "FAILED secondKillsRank1(RankContext)[2]",
                        "SUCCESSFUL secondKillsRank1(RankContext)[3]");
    }

    @Test
    void ranksThatDisagreeAreToldWhatEachWasAboutToRun() {
        assertThat(run.message(Disagreeing.class, "oneMoreOnRank1(RankContext)[2]"))
                .isEqualTo("RealRunsTest.Disagreeing.oneMoreOnRank1 number 1 [2 ranks, a2a3sim]: the ranks are about to"
                        + " run different tests: rank 0 none, rank 1 RealRunsTest.Disagreeing.oneMoreOnRank1 number 1"
                        + " [2 ranks, a2a3sim]. What a rank runs must not depend on its number, on chance or on time.");
    }

    @Test
    void whatWasStartedWasFinishedOnce() {
        assertThat(run.imbalance()).isEmpty();
    }

    @Test
    void theReportIsAsItsSchemaSays() throws IOException {
        assertThat(ReportSchema.violations(folder.resolve("out/report.json"))).isEmpty();
    }

    @Test
    void noProcessIsLeft() {
        assertThat(leftovers.processes()).isEmpty();
    }

    @Test
    void noSessionIsLeft() throws IOException {
        assertThat(leftovers.sessions()).isEmpty();
    }

    @Test
    void allDevicesAreFreeAgain() {
        assertThat(leftovers.devicesInUse(8)).isEmpty();
    }

    @Test
    void aRankThatCannotStartFailsItsTestAtOnceWithTheLastLinesOfItsLog(@TempDir Path temp) {
        EngineRun failed = EngineRun.of(temp, Map.of("rankunit.jvm-args", "-XX:NoSuchFlag"), Waiting.class);

        assertThat(failed.message(Waiting.class, "forRank1(RankContext)")
                        .replaceAll("rank [01] \\(device [01]\\)", "rank R (device D)")
                        .replaceAll("of \\S*rank-[01].log", "of L"))
                .isEqualTo(
                        "RealRunsTest.Waiting.forRank1 [2 ranks, a2a3sim]: rank R (device D) exited with code 1 before"
                                + " it was up; the last lines of L:\n"
                                + "    Unrecognized VM option 'NoSuchFlag'\n"
                                + "    Error: Could not create the Java Virtual Machine.\n"
                                + "    Error: A fatal exception has occurred. Program will exit.");
    }

    @Test
    void aBringUpThatTakesTooLongNamesTheRanksThatAreMissing(@TempDir Path temp) {
        EngineRun failed = EngineRun.of(temp, Map.of("rankunit.bootstrap-timeout", "1ms"), Waiting.class);

        assertThat(failed.message(Waiting.class, "forRank1(RankContext)"))
                .isEqualTo("RealRunsTest.Waiting.forRank1 [2 ranks, a2a3sim]: waited 1 ms (rankunit.bootstrap-timeout)"
                        + " for 2 of 2 ranks: rank 0 (device 0) was starting its JVM, rank 1 (device 1) was starting its"
                        + " JVM");
    }

    @Test
    void aTestThatTakesTooLongNamesTheRankThatHasNotEnded(@TempDir Path temp) {
        EngineRun failed = EngineRun.of(temp, Map.of("rankunit.test-timeout", "3s"), Waiting.class);

        assertThat(failed.message(Waiting.class, "forRank1(RankContext)"))
                .containsPattern("at .*RealRunsTest\\$Waiting\\.forRank1\\(RealRunsTest\\.java:\\d+\\)")
                .contains("\n  rank 0 passed\n  log of rank 1: ");
        assertThat(EngineRun.withoutNumbers(failed.message(Waiting.class, "forRank1(RankContext)")))
                .startsWith(lines(
                        "RealRunsTest.Waiting.forRank1 [2 ranks, a2a3sim] failed on rank 1",
                        "",
                        "  rank 0 has ended its tests; rank 1 is at RealRunsTest.java:L, and in no operation of the"
                                + " communicator",
                        "  had not ended after 3000 ms (rankunit.test-timeout), and was ended; it was at",
                        "      at "));
    }

    @Test
    void aMistakeInTheConfigurationFailsEveryTestWithIt(@TempDir Path temp) {
        EngineRun failed = EngineRun.of(temp, Map.of("rankunit.platfrom", "a5"), Waiting.class);

        assertThat(failed.message(Waiting.class, "forRank1(RankContext)"))
                .isEqualTo("rankunit.platfrom: there is no such configuration key. Did you mean rankunit.platform?");
    }

    private static String lines(String... lines) {
        return String.join("\n", lines);
    }

    private static String withoutDevice(String message) {
        return EngineRun.withoutNumbers(message.replaceFirst("on device \\d+", "on device N"));
    }

    private static List<Integer> ranksThatNoted(String text) throws IOException {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            for (String note : notesOf(rank)) {
                if (note.substring(note.indexOf(' ') + 1).equals(text)) {
                    ranks.add(rank);
                }
            }
        }
        return ranks;
    }

    private static List<Long> timesOf(String text) throws IOException {
        return Stream.concat(notesOf(0).stream(), notesOf(1).stream())
                .filter(note -> note.endsWith(" " + text))
                .map(note -> Long.valueOf(note.substring(0, note.indexOf(' '))))
                .toList();
    }

    private static List<String> notesOf(int rank) throws IOException {
        return Files.readAllLines(folder.resolve("rank-" + rank));
    }
}
