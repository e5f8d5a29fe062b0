package org.rankunit.engine.launch;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.protocol.LogMark;

@Tag("unit")
class RankLogTest {

    private Path file;
    private RankLog log;

    @BeforeEach
    void open(@TempDir Path folder) {
        file = folder.resolve("rank.log");
        log = new RankLog(file);
    }

    @Test
    void freshIsWhatWasPrintedSinceTheLastCall() throws IOException {
        print("one\n");
        log.fresh();
        print("two\nthree\n");

        assertThat(log.fresh()).isEqualTo("two\nthree\n");
    }

    @Test
    void nothingNewIsAnEmptyText() throws IOException {
        print("one\n");
        log.fresh();

        assertThat(log.fresh()).isEmpty();
    }

    /** As a JVM prints it, with lines of the test around it. */
    private static final String CRASH = """
            #
            # A fatal error has been detected by the Java Runtime Environment:
            #
            #  SIGSEGV (0xb) at pc=0x00007f5ae000f106, pid=28454, tid=28532
            #
            # If you would like to submit a bug report, please visit:
            #   https://bugs.example.org
            #
            """;

    @Test
    void whatTheJvmPrintsWhenItCrashesIsLeftInTheFile() throws IOException {
        print("# a heading\n" + CRASH + "and after it\n");

        assertThat(log.fresh())
                .isEqualTo("# a heading\nrankunit: what the JVM of this rank printed when it crashed is in " + file
                        + "\nand after it\n");
    }

    @Test
    void soIsTheRestOfItThatIsReadLater() throws IOException {
        int middle = CRASH.indexOf("#  SIGSEGV");
        print(CRASH.substring(0, middle));
        assertThat(log.fresh()).startsWith("rankunit: what the JVM");
        print(CRASH.substring(middle));
        assertThat(log.fresh()).isEmpty();
        print("next\n# of the test\n");
        assertThat(log.fresh()).isEqualTo("next\n# of the test\n");
    }

    @Test
    void muchNewOutputIsCutAndTheFileNamed() throws IOException {
        print("x".repeat(256 << 10) + "0123456789");

        assertThat(log.fresh()).isEqualTo("x".repeat(256 << 10) + "\n… 10 more bytes in " + file + "\n");
    }

    @Test
    void whatWasCutDoesNotComeUpAgain() throws IOException {
        print("x".repeat(300 << 10));
        log.fresh();
        print("next");

        assertThat(log.fresh()).isEqualTo("next");
    }

    @Test
    void whatARankSaidOfItselfWhileItHungStaysInTheFile() throws IOException {
        print("one\n" + LogMark.EVIDENCE_BEGINS + "\n" + "    at a.B.c(B.java:1)\n".repeat(300) + LogMark.EVIDENCE_ENDS
                + "\ntwo\n");

        assertThat(log.fresh())
                .isEqualTo("one\nrankunit: the stacks of all threads of this rank are in " + file + "\ntwo\n");
    }

    @Test
    void whatIsSeenOfARankFromOutsideIsNoneOfItsOutput() throws IOException {
        print("one\n");
        log.hideRest();
        print("Full thread dump\n");

        assertThat(log.fresh()).isEqualTo("one\n");
        assertThat(log.fresh()).isEmpty();
    }

    @Test
    void bytesThatAreNoTextAreEscaped() throws IOException {
        Files.write(file, new byte[] {'a', (byte) 0xff, 0, 27, (byte) 0xc3, (byte) 0xa4, (byte) 0xc3, '\t', '\n', 'z'});

        assertThat(log.fresh()).isEqualTo("a\\xff\u0000\u001b\u00e4\\xc3\t\nz");
        assertThat(log.tail()).isEqualTo("a\\xff\\x00\\x1b\u00e4\\xc3\t\nz");
    }

    @Test
    void theTailIsTheLastTwentyLines() throws IOException {
        print(lines(1, 100));

        assertThat(log.tail()).isEqualTo(lines(81, 100).stripTrailing());
    }

    @Test
    void theTailIsReadAgainAfterItWasFresh() throws IOException {
        print("last words\n");
        log.fresh();

        assertThat(log.tail()).isEqualTo("last words");
    }

    @Test
    void theTailOfOneEndlessLineIsBounded() throws IOException {
        print("y".repeat(1 << 20));

        assertThat(log.tail()).isEqualTo("y".repeat(4096));
    }

    /** Threads that fail at the same time print their stacks after it. */
    @Test
    void aTextIsFoundThoughItIsNotInTheLastLines() throws IOException {
        Files.writeString(file, "the end\n" + lines(1, 2000));

        assertThat(log.tail()).doesNotContain("the end");
        assertThat(log.hasLately("the end")).isTrue();
        assertThat(log.hasLately("another end")).isFalse();
    }

    @Test
    void theTailOfADeepStackSaysWhatItIsTheStackOf() throws IOException {
        print("Exception in thread \"main\" java.lang.OutOfMemoryError\n" + "\tat a.B.c(B.java:1)\n".repeat(100)
                + "last\n");

        assertThat(log.tail())
                .isEqualTo("Exception in thread \"main\" java.lang.OutOfMemoryError\n"
                        + "\tat a.B.c(B.java:1)\n".repeat(8) + "\t…\nlast");
    }

    @Test
    void aLogThatIsGoneIsSaidAndNoError() {
        assertThat(log.tail()).isEqualTo("(cannot read " + file + ": " + file + " (No such file or directory))");
    }

    private void print(String text) throws IOException {
        Files.writeString(file, text, CREATE, APPEND);
    }

    private static String lines(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    }
}
