package org.rankunit.engine.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.LogMark;

/** The log of a rank on another node, whose output arrives later than its messages. */
@Tag("unit")
@Timeout(60)
class ForwardedLogTest {

    private static final String MARK = LogMark.TEST_ENDS;
    private static final Duration A_MOMENT = Duration.ofMillis(50);

    private final ExecutorService network = Executors.newSingleThreadExecutor();
    private Path file;
    private RankLog log;

    @BeforeEach
    void open(@TempDir Path folder) {
        file = folder.resolve("rank.log");
        log = RankLog.forwarded(file);
    }

    @AfterEach
    void close() {
        network.shutdownNow();
    }

    @Test
    void outputThatHasArrivedIsReadWithoutItsMark() throws IOException {
        arrive("one\n" + MARK);
        log.testEnded();

        assertThat(log.fresh()).isEqualTo("one\n");
        assertThat(log.fresh()).isEmpty();
    }

    @Test
    void aTestThatPrintedNothingHasNoOutput() throws IOException {
        arrive("one\n" + MARK);
        log.testEnded();
        log.fresh();
        arrive(MARK);
        log.testEnded();

        assertThat(log.fresh()).isEmpty();
    }

    @Test
    void aLineThatATestLeftOpenIsNotClosedByTheMark() throws IOException {
        arrive("without end" + MARK);
        log.testEnded();

        assertThat(log.fresh()).isEqualTo("without end");
    }

    @Test
    void beforeATestHasEndedNobodyWaits() throws IOException {
        arrive("so far");

        assertThat(log.fresh()).isEqualTo("so far");
    }

    @Test
    void outputThatArrivesAfterTheEndOfItsTestIsAwaited() throws Exception {
        arrive("begin\n");
        log.testEnded();
        Future<String> fresh = network.submit(() -> log.fresh());
        assertIsAwaited(fresh);

        arrive("late\n");
        arrive(MARK);

        assertThat(fresh.get(20, SECONDS)).isEqualTo("begin\nlate\n");
    }

    @Test
    void marksOfSeveralTestsAreAwaitedTogether() throws IOException {
        arrive("one\n" + MARK + "two\n" + MARK + MARK);
        log.testEnded();
        log.testEnded();
        log.testEnded();

        assertThat(log.fresh()).isEqualTo("one\ntwo\n");
    }

    @Test
    void aMarkThatDoesNotComeIsAwaitedForABoundedTimeAndNoOutputIsLost() throws IOException {
        log = RankLog.forwarded(file, A_MOMENT);
        arrive("last words\n");
        log.testEnded();

        assertThat(log.fresh()).isEqualTo("last words\n");
        assertThat(log.tail()).isEqualTo("last words");
    }

    @Test
    void aMarkThatComesTooLateDoesNotEndTheNextTest() throws Exception {
        arrive("one\n");
        log.testEnded();
        assertThat(log.fresh()).isEqualTo("one\n");

        arrive(MARK + "two\n");
        log.testEnded();
        Future<String> fresh = network.submit(() -> log.fresh());
        assertIsAwaited(fresh);
        arrive("more\n" + MARK);

        assertThat(fresh.get(20, SECONDS)).isEqualTo("two\nmore\n");
    }

    @Test
    void aMarkThatWasGivenUpIsNotAwaitedAgain() throws IOException {
        log = RankLog.forwarded(file, A_MOMENT);
        arrive("one\n");
        log.testEnded();
        log.fresh();
        long begin = System.nanoTime();

        for (int i = 0; i < 100; i++) {
            assertThat(log.fresh()).isEmpty();
        }

        assertThat(System.nanoTime() - begin).isLessThan(SECONDS.toNanos(20));
    }

    @Test
    void aLogThatIsGoneIsNotAwaited() {
        log.testEnded();

        assertThat(log.fresh()).isEmpty();
    }

    @Test
    void theTailShowsNoMark() throws IOException {
        arrive("one\n" + MARK + "two\n" + MARK + MARK + "three" + MARK);

        assertThat(log.tail()).isEqualTo("one\ntwo\nthree");
    }

    @Test
    void aMarkBelowMuchOutputIsFound() throws IOException {
        String much = "x".repeat(200_000) + "\n";
        arrive(much + MARK);
        log.testEnded();

        assertThat(log.fresh()).isEqualTo(much);
    }

    /** Pieces as small as one byte, between which the log is searched. */
    @RepeatedTest(30)
    void aMarkIsFoundWhereverItIsSplit(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        String first = "a".repeat(random.nextInt(3)) + MARK.substring(0, random.nextInt(MARK.length())) + "\n";
        String second = "\u0002" + "b".repeat(random.nextInt(3));
        byte[] bytes = (first + MARK + second + MARK).getBytes(UTF_8);
        log.testEnded();
        log.testEnded();
        Files.createFile(file);
        Future<?> writer = network.submit(() -> {
            for (int from = 0, to; from < bytes.length; from = to) {
                to = Math.min(bytes.length, from + 1 + random.nextInt(5));
                Files.write(file, Arrays.copyOfRange(bytes, from, to), CREATE, APPEND);
            }
            return null;
        });

        assertThat(log.fresh()).isEqualTo(first + second);
        writer.get(20, SECONDS);
    }

    /** Every position at which the chunks of a search may cut a mark. */
    @Test
    void aMarkIsFoundAcrossTheEndOfAChunk(@TempDir Path folder) throws IOException {
        for (int cut = 0; cut <= MARK.length(); cut++) {
            file = folder.resolve("cut-" + cut);
            log = RankLog.forwarded(file);
            String output = "y".repeat((64 << 10) - cut);
            arrive(output + MARK + "next\n" + MARK);
            log.testEnded();
            log.testEnded();

            assertThat(log.fresh()).isEqualTo(output + "next\n");
        }
    }

    private static void assertIsAwaited(Future<?> output) {
        assertThatThrownBy(() -> output.get(100, MILLISECONDS)).isInstanceOf(TimeoutException.class);
    }

    private void arrive(String text) throws IOException {
        Files.writeString(file, text, CREATE, APPEND);
    }
}
