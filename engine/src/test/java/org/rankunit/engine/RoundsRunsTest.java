package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.MethodOrderer;
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
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Rounds;
import org.rankunit.Window;
import org.rankunit.golden.Golden;

/** Tests whose body runs several times, in whole runs. */
@Tag("ranks")
@Timeout(120)
class RoundsRunsTest {

    private static EngineRun run;

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    @TestInstance(TestInstance.Lifecycle.PER_METHOD)
    static class Repeated {

        private int round;
        private int prepared;

        @BeforeEach
        void prepare() {
            prepared++;
        }

        @Test
        @Buffer(name = "output", type = DType.INT32, count = 3, role = Buffer.Role.OUTPUT, placement = Placement.WINDOW)
        @Buffer(name = "plain", type = DType.INT32, count = 1)
        @Window(syncPrefix = 256)
        @Rounds(value = 3, warmUp = 2, sameBits = true)
        void aBuffersAreResetBeforeEachRound(RankContext rank) {
            round++;
            assertThat(prepared).isEqualTo(1);
            assertThat(rank.buffer("output").readInts()).containsOnly(0xABABABAB);
            assertThat(rank.buffer("plain").readInts()).containsOnly(0);
            byte[] flag = new byte[1];
            rank.device().copyOut(rank.semaphoreBase(), flag, 0, 1);
            assertThat(flag[0]).isZero();
            rank.device().copyIn(rank.semaphoreBase(), new byte[] {1}, 0, 1);
            rank.buffer("plain").write(round);
            rank.buffer("output").write(1, 2, 3);
            verify(rank);
        }

        @Test
        @Buffer(name = "output", type = DType.INT32, count = 3, role = Buffer.Role.OUTPUT)
        @Rounds(value = 5, warmUp = 1)
        void bTheRoundThatFailsIsNamed(RankContext rank) {
            round++;
            rank.buffer("output").write(1, 2, round == 4 && rank.rank() == 1 ? 9 : 3);
            verify(rank);
        }

        @Test
        @Buffer(name = "output", type = DType.INT32, count = 3, role = Buffer.Role.OUTPUT, unverified = true)
        @Rounds(value = 3, sameBits = true)
        void cEachRoundMustLeaveTheSameBits(RankContext rank) {
            round++;
            rank.buffer("output").write(1, 2, round < 3 ? 3 : 4);
        }

        @Test
        @Buffer(name = "output", type = DType.INT32, count = 3, role = Buffer.Role.OUTPUT, unverified = true)
        @Rounds(3)
        void dAnOverrunOfAnEarlierRoundIsFound(RankContext rank) {
            round++;
            if (round == 2) {
                rank.device().copyIn(rank.buffer("output").address() + 12, new byte[] {7}, 0, 1);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {4, 5})
        @Rounds(2)
        void eArgumentsAreTheSameInEachRound(int argument, RankContext rank, TestReporter reporter) {
            round++;
            reporter.publishEntry("round " + round, "argument " + argument);
        }

        @TestFactory
        @Rounds(2)
        Stream<DynamicTest> fFactoriesHaveNone(RankContext rank) {
            return Stream.of(dynamicTest("one", rank::barrier));
        }

        @Test
        @Rounds(0)
        void gNoRounds(RankContext rank) {
            rank.barrier();
        }

        @Test
        @Rounds(value = 9_999, warmUp = 2)
        void hTooManyRounds(RankContext rank) {
            rank.barrier();
        }

        @Test
        @Rounds(value = 2, sameBits = true)
        void iNothingToCompare(RankContext rank) {
            rank.barrier();
        }

        /** What the rank that fails leaves out, the other one waits for. */
        @Test
        @Rounds(4)
        void jOneRankFailsWhileTheOtherWaits(RankContext rank) {
            round++;
            if (round == 2 && rank.rank() == 0) {
                throw new IllegalStateException("broken in its second round");
            }
            rank.barrier();
        }

        private static void verify(RankContext rank) {
            Golden.of("the sum", 1, 2, 3).verify(rank.buffer("output"));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class Ordinary {

        private int round;

        @Test
        void runsAsOftenAsTheUserSays(RankContext rank, TestReporter reporter) {
            round++;
            reporter.publishEntry("round", String.valueOf(round));
        }
    }

    @BeforeAll
    static void run(@TempDir Path folder) {
        run = EngineRun.of(folder, Map.of(), Repeated.class);
    }

    @Test
    void whatIsWrongFailsItsTestAlone() {
        assertThat(run.results(Repeated.class))
                .extracting(result -> result.replaceAll("\\(.*", ""))
                .containsExactlyInAnyOrder(
                        "SUCCESSFUL aBuffersAreResetBeforeEachRound",
                        "FAILED bTheRoundThatFailsIsNamed",
                        "FAILED cEachRoundMustLeaveTheSameBits",
                        "FAILED dAnOverrunOfAnEarlierRoundIsFound",
                        "SUCCESSFUL eArgumentsAreTheSameInEachRound",
                        "SUCCESSFUL eArgumentsAreTheSameInEachRound",
                        "FAILED gNoRounds",
                        "FAILED hTooManyRounds",
                        "FAILED iNothingToCompare",
                        "FAILED jOneRankFailsWhileTheOtherWaits");
    }

    @Test
    void theTimesOfARunThatPassedArePublished() {
        assertThat(run.reportEntries())
                .anyMatch(entry ->
                        entry.matches("aBuffersAreResetBeforeEachRound\\(RankContext\\) \\{rankunit.rounds=3 rounds"
                                + " after 2 to warm up: min [0-9.]+ ms, median [0-9.]+ ms, p99 [0-9.]+ ms on the slowest rank.*;"
                                + " start skew median [0-9.]+ ms, p99 [0-9.]+ ms}"));
    }

    @Test
    void aFailureNamesItsRound() {
        assertThat(run.message(Repeated.class, "bTheRoundThatFailsIsNamed(RankContext)"))
                .contains("failed on rank 1", "the sum: 1 of 3 elements differs", "rank 1 failed in round 4 of 6");
    }

    @Test
    void outputsOfTwoRoundsAreCompared() {
        assertThat(run.message(Repeated.class, "cEachRoundMustLeaveTheSameBits(RankContext)"))
                .contains(
                        "output after round 3, compared with round 1: 1 of 3 elements differs",
                        "failed in round 3 of 3");
    }

    @Test
    void anOverrunIsOfItsRound() {
        assertThat(run.message(Repeated.class, "dAnOverrunOfAnEarlierRoundIsFound(RankContext)"))
                .contains("overrun: something wrote past the end of buffer 'output'", "failed in round 2 of 3");
    }

    @Test
    void allRoundsOfAnInvocationHaveItsArguments() {
        for (int argument : new int[] {4, 5}) {
            for (int round : new int[] {1, 2}) {
                assertThat(run.reportEntries())
                        .anyMatch(entry -> entry.contains("rank 1: round " + round + "=argument " + argument));
            }
        }
    }

    @Test
    void aRankThatWaitsIsReleased() {
        assertThat(run.message(Repeated.class, "jOneRankFailsWhileTheOtherWaits(RankContext)"))
                .contains("failed on rank 0", "broken in its second round", "rank 0 failed in round 2 of 4")
                .containsPattern("rank 1 was released from barrier .* because rank 0 failed");
    }

    @Test
    void mistakesAreNamedBeforeAnythingStarts() {
        String place = Repeated.class.getName();
        assertThat(run.messages())
                .anyMatch(message -> message.endsWith(place
                        + ".fFactoriesHaveNone: the tests of a @TestFactory run once, so @Rounds cannot apply to them."
                        + " Make it a test, or leave @Rounds out."))
                .anyMatch(message -> message.endsWith(
                        place + ".gNoRounds: @Rounds(0) is not a number of rounds. Give one from 1 to 10000."))
                .anyMatch(message -> message.endsWith(place
                        + ".hTooManyRounds: @Rounds(value = 9999, warmUp = 2) are more than 10000 rounds together."
                        + " Give fewer."))
                .anyMatch(message -> message.endsWith(place
                        + ".iNothingToCompare: @Rounds(sameBits = true) compares buffers with the role OUTPUT or"
                        + " INOUT, and the test has none. Give its outputs a role: @Buffer(..., role = OUTPUT)."));
    }

    @Test
    void theUserMayGiveTheNumberOfRounds(@TempDir Path folder) {
        EngineRun often = EngineRun.of(folder, Map.of("rankunit.rounds", "3"), Ordinary.class);

        assertThat(often.results(Ordinary.class))
                .containsExactly("SUCCESSFUL runsAsOftenAsTheUserSays(RankContext, TestReporter)");
        assertThat(often.reportEntries())
                .anyMatch(entry -> entry.contains("rank 0: round=3"))
                .anyMatch(entry -> entry.contains("rank 1: round=3"))
                .noneMatch(entry -> entry.contains("round=4"));
    }
}
