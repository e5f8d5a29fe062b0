package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.RankTimeout;
import org.rankunit.comm.Domain;
import org.rankunit.engine.launch.local.RunLeftovers;
import org.rankunit.engine.protocol.RankOutcome.RankWait;
import org.rankunit.engine.report.RunReport;
import org.rankunit.engine.report.json.JsonReport;

/** What a test that stands still has to say: real ranks, asked for their evidence at the deadline of the test. */
@Tag("ranks")
@Timeout(300)
class StandstillRunsTest {

    private static final String LINE = "StandstillRunsTest\\.java:\\d+";

    private static Path folder = Path.of("");
    private static EngineRun run;
    private static RunLeftovers leftovers;

    @DeviceCount(3)
    @Platforms("a2a3sim")
    static class OneIsElsewhere {

        @Test
        void rank1Forgets(RankContext rank) throws InterruptedException {
            rank.barrier();
            if (rank.rank() == 1) {
                new CountDownLatch(1).await();
            }
            rank.barrier();
        }
    }

    @DeviceCount(3)
    @Platforms("a2a3sim")
    static class OneIsLate {

        @Test
        void rank1WaitsForNobody(RankContext rank) throws InterruptedException {
            if (rank.rank() == 1) {
                new CountDownLatch(1).await();
            }
            rank.barrier(Duration.ofMillis(500));
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class OneIsStopped {

        @Test
        void rank1IsStopped(RankContext rank) throws Exception {
            if (rank.rank() == 1) {
                new ProcessBuilder(
                                "sh",
                                "-c",
                                "kill -STOP " + ProcessHandle.current().pid())
                        .start()
                        .waitFor();
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class OneCannotAnswer {

        /** What a rank says of itself it also prints. */
        @Test
        void rank1PrintsInVain(RankContext rank) {
            if (rank.rank() == 1) {
                System.err.printf("%s%n", new NeverTold());
            }
            rank.barrier();
        }
    }

    /** Its text never comes, and whoever prints it holds the stream's lock meanwhile. */
    private static final class NeverTold {
        @Override
        public String toString() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return "told";
        }
    }

    /** Those who wait for each other here would do so until the time-out of the communicator, which is two minutes. */
    @DeviceCount(3)
    @Platforms("a2a3sim")
    @RankTimeout(100)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class NobodyCanCome {

        @Test
        @Order(1)
        void rank1ReturnsEarly(RankContext rank) {
            rank.barrier();
            if (rank.rank() == 1) {
                return;
            }
            rank.barrier();
        }

        @Test
        @Order(2)
        void rank2ReturnsFromADomain(RankContext rank) {
            if (rank.rank() == 0) {
                return;
            }
            Domain domain = rank.communicator().domain(64, 2, 1);
            if (rank.rank() == 1) {
                domain.barrier();
            }
        }

        @Test
        @Order(3)
        void domainsInACircle(RankContext rank) {
            int self = rank.rank();
            List<Domain> own = new ArrayList<>();
            for (int first = 0; first < 3; first++) {
                int second = (first + 1) % 3;
                if (self == first || self == second) {
                    own.add(rank.communicator().domain(64, first, second));
                }
            }
            // Each waits in the domain of itself and the next rank.
            Domain ahead = own.get(0).communicatorRank(0) == self ? own.get(0) : own.get(1);
            ahead.barrier();
        }

        @Test
        @Order(4)
        void oneMakesTheDomainInAnotherOrder(RankContext rank) {
            if (rank.rank() < 2) {
                rank.communicator().domain(64, rank.rank(), 1 - rank.rank());
            }
        }

        @Test
        @Order(5)
        void aLongPauseIsNone(RankContext rank) throws InterruptedException {
            if (rank.rank() == 1) {
                // Long enough for a look or two.
                Thread.sleep(1500);
            }
            rank.barrier();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class OneIsElsewhereInADomain {

        @Test
        void rank1Forgets(RankContext rank) throws InterruptedException {
            try (Domain domain = rank.communicator().domain(64, 0, 1)) {
                domain.barrier();
                if (rank.rank() == 1) {
                    new CountDownLatch(1).await();
                }
                domain.barrier();
            }
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    static class NobodyWaitsForAnother {

        @Test
        void bothWait(RankContext rank) throws InterruptedException {
            new CountDownLatch(1).await();
        }
    }

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @RankTimeout(value = 1500, unit = TimeUnit.MILLISECONDS)
    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static class Limited {

        @Test
        @Order(1)
        void takesTheLimitOfItsClass(RankContext rank) throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        @Order(2)
        @RankTimeout(1)
        void takesItsOwn(RankContext rank) throws InterruptedException {
            new CountDownLatch(1).await();
        }

        @Test
        @Order(3)
        void passes(RankContext rank) {
            rank.barrier();
        }

        @Test
        @RankTimeout(0)
        void mayTakeNoTime(RankContext rank) {}
    }

    @BeforeAll
    static void runAll(@TempDir Path temp) throws IOException {
        folder = temp;
        leftovers = RunLeftovers.watch(temp);
        run = EngineRun.of(
                temp,
                Map.of("rankunit.sim.devices", "8", "rankunit.test-timeout", "3s"),
                OneIsElsewhere.class,
                OneIsElsewhereInADomain.class,
                OneIsLate.class,
                OneIsStopped.class,
                OneCannotAnswer.class,
                NobodyWaitsForAnother.class,
                Limited.class,
                NobodyCanCome.class);
    }

    @AfterAll
    static void close() {
        leftovers.close();
    }

    @Test
    void theRankThatNeverCameToABarrierIsNamedWithItsLineBeforeAllStacks() {
        assertThat(run.message(OneIsElsewhere.class, "rank1Forgets(RankContext)"))
                .matches(
                        "(?s)StandstillRunsTest.OneIsElsewhere.rank1Forgets \\[3 ranks, a2a3sim\\] failed on ranks 0, 1, 2\n"
                                + "\n"
                                + "  ranks 0, 2 are in barrier #2 \\(" + LINE
                                + "\\); rank 1 never entered it: it is at " + LINE
                                + "\n  ranks? .* had not ended after 3000 ms \\(rankunit.test-timeout\\).*");
    }

    @Test
    void theReportSaysWhoWaitedForWhom() throws IOException {
        RunReport report = new JsonReport().read(folder.resolve("out/report.json"));
        RunReport.TestEntry test = report.tests().stream()
                .filter(entry -> entry.name().startsWith("StandstillRunsTest.OneIsElsewhere.rank1Forgets"))
                .findFirst()
                .orElseThrow();
        RunReport.Hang hang = Objects.requireNonNull(test.hang());

        assertThat(hang.text()).startsWith("ranks 0, 2 are in barrier #2");
        assertThat(hang.waits()).extracting(RankWait::rank).containsExactly(0, 2);
        assertThat(hang.waits()).extracting(RankWait::awaited).containsOnly(List.of(1));
        assertThat(hang.waits())
                .extracting(RankWait::where)
                .allSatisfy(where -> assertThat(where).matches("barrier #2 \\(" + LINE + "\\)"));
        assertThat(ReportSchema.violations(folder.resolve("out/report.json"))).isEmpty();
    }

    @Test
    void aDomainIsNamedByItsRanksAndTheWaitInItByTheLineOfTheUser() {
        assertThat(EngineRun.withoutNumbers(run.message(OneIsElsewhereInADomain.class, "rank1Forgets(RankContext)")))
                .contains(
                        "\n\n  rank 0 is in barrier #N of the domain of ranks 0, 1 (StandstillRunsTest.java:L); rank 1 never"
                                + " entered it: it is at StandstillRunsTest.java:L\n");
    }

    @Test
    void aRankThatReturnedFromWhatOthersWaitInIsNamedLongBeforeAnyTimeOut() {
        assertThat(run.message(NobodyCanCome.class, "rank1ReturnsEarly(RankContext)"))
                .matches(
                        "(?s)StandstillRunsTest.NobodyCanCome.rank1ReturnsEarly \\[3 ranks, a2a3sim\\] failed on ranks 0, 2\n"
                                + "\n  ranks 0, 2 are in barrier #2 \\(" + LINE
                                + "\\); rank 1 never entered it: it waits for"
                                + " the others before the next test\n.*aborted because of rank 1: this wait would never have ended.*"
                                + "  rank 1 passed\n.*");
        assertThat(run.message(NobodyCanCome.class, "rank2ReturnsFromADomain(RankContext)"))
                .matches("(?s).* failed on rank 1\n"
                        + "\n  rank 1 is in barrier #1 of the domain of ranks 2, 1 \\(" + LINE
                        + "\\); rank 0 waits for the"
                        + " others before the next test; rank 2 never entered it: it waits for the others before the next"
                        + " test\n.*");
    }

    @Test
    void ranksThatWaitForEachOtherInACircleOfDomainsAreToldSo() {
        assertThat(run.message(NobodyCanCome.class, "domainsInACircle(RankContext)"))
                .containsPattern("\n\n  a deadlock: rank 0 waits in barrier #1 of the domain of ranks 0, 1 \\(" + LINE
                        + "\\) for rank 1, which waits in barrier #1 of the domain of ranks 1, 2 \\(" + LINE
                        + "\\) for rank 2, which waits in barrier #1 of the domain of ranks 2, 0 \\(" + LINE
                        + "\\) for rank 0\n");
        assertThat(run.message(NobodyCanCome.class, "oneMakesTheDomainInAnotherOrder(RankContext)"))
                .containsPattern(
                        "\n\n  a deadlock: rank 0 waits in the allocation of the domain of ranks 0, 1 \\(" + LINE
                                + "\\) for rank 1, which waits in the allocation of the domain of ranks 1, 0 \\(" + LINE
                                + "\\) for rank 0; rank 2 waits for the others before the next test\n");
    }

    @Test
    void aRankThatTakesItsTimeIsWaitedFor() {
        assertThat(run.results(NobodyCanCome.class)).contains("SUCCESSFUL aLongPauseIsNone(RankContext)");
    }

    @Test
    void theRecorderIsInTheLogOfEachRank() throws IOException {
        assertThat(logsThatContain("barrier #1 done, started ")).isEqualTo(3);
        assertThat(logsThatContain("the allocation of the domain of ranks 0, 1 done, "))
                .isEqualTo(2);
    }

    @Test
    void aWaitThatTakesTooLongSaysWhereTheOthersWere() {
        assertThat(EngineRun.withoutNumbers(run.message(OneIsLate.class, "rank1WaitsForNobody(RankContext)")))
                .contains(
                        "\n\n  ranks 0, 2 were in barrier #N (StandstillRunsTest.java:L); rank 1 never entered it: it is at"
                                + " StandstillRunsTest.java:L\n")
                .contains(" in barrier #N; rank 1 had not arrived\n");
    }

    @Test
    void aRankThatIsStoppedIsSaidToBe() {
        assertThat(run.message(OneIsStopped.class, "rank1IsStopped(RankContext)"))
                .containsPattern("\n\n  rank 0 is in barrier #\\d+ \\(" + LINE
                        + "\\); rank 1 did not answer: its process is stopped \\(SIGSTOP\\?\\)\n");
    }

    @Test
    void theNativeStacksOfARankThatDoesNotAnswerAreInItsLog() throws IOException {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(path -> Files.isExecutable(Path.of(path, "gdb"))),
                "there is no gdb on this machine");

        assertThat(logsThatContain("rankunit: native stacks of all threads, by "))
                .isEqualTo(2);
    }

    @Test
    void theDumpOfAJvmThatDoesNotAnswerIsInItsLog() throws IOException {
        assertThat(run.message(OneCannotAnswer.class, "rank1PrintsInVain(RankContext)"))
                .containsPattern("\n\n  rank 0 is in barrier #\\d+ \\(" + LINE + "\\); rank 1 did not answer\n")
                .contains("it did not report where it was; what was observed from outside is in its log");
        assertThat(logsThatContain("Full thread dump")).isEqualTo(1);
    }

    @Test
    void ranksThatWaitForNobodyAreSaidToBeInNoOperation() {
        assertThat(run.message(NobodyWaitsForAnother.class, "bothWait(RankContext)"))
                .containsPattern("\n\n  ranks 0, 1 are at " + LINE + ", and in no operation of the communicator\n");
    }

    @Test
    void aTestMayHaveATimeoutOfItsOwn() {
        assertThat(run.results(Limited.class))
                .containsExactlyInAnyOrder(
                        "FAILED takesTheLimitOfItsClass(RankContext)",
                        "FAILED takesItsOwn(RankContext)",
                        "SUCCESSFUL passes(RankContext)",
                        "FAILED mayTakeNoTime(RankContext)");
        assertThat(run.message(Limited.class, "takesTheLimitOfItsClass(RankContext)"))
                .contains("had not ended after 1500 ms (@RankTimeout), and was ended; it was at");
        assertThat(run.message(Limited.class, "takesItsOwn(RankContext)"))
                .contains("had not ended after 1000 ms (@RankTimeout), and was ended; it was at");
    }

    @Test
    void aTimeoutThatNoTestCanTakeIsRefused() {
        assertThat(run.message(Limited.class, "mayTakeNoTime(RankContext)"))
                .contains("Limited.mayTakeNoTime: @RankTimeout(value = 0, unit = SECONDS) is not a time that a test can"
                        + " take. Give one that is more than zero and less than 20 days.");
    }

    @Test
    void noProcessIsLeft() {
        assertThat(leftovers.processes()).isEmpty();
    }

    private static long logsThatContain(String text) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("out/logs"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> {
                        try {
                            return Files.readString(file).contains(text);
                        } catch (IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    })
                    .count();
        }
    }
}
