package org.rankunit.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.timeline.LogWriter.TEST_BEGIN;
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.engine.timeline.RankLog;

/** Checks of logs, written by hand, of kernels that tell their accesses through pointers. */
@Tag("unit")
class ToldAccessesTest {

    private static final int MARK = 2;
    private static final int ALLOCATE = 10;
    private static final int COPY = 12;
    private static final int POINTER_ACCESS = 18;
    private static final int ATOMIC_CHANGE = 19;
    private static final int WORK_BEGIN = 21;
    private static final int WORK_END = 22;
    private static final int BLOCK_BEGIN = 32;
    private static final int BLOCK_END = 33;
    private static final int ARGUMENT = 34;

    private static final int READ = 0;
    private static final int WRITE = 1;
    private static final int IN = 1;
    private static final int OUT = 2;
    private static final int INOUT = 3;
    private static final int UNKNOWN = 4;
    private static final int STREAM = 3;

    private static final long MEMORY = 0x700;

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";

    @TempDir
    Path folder;

    private final LogWriter writer = new LogWriter();
    private int time = 1000;

    private void at(int kind, int actor, long... words) {
        time++;
        writer.event(kind, actor, time, time, words);
    }

    private void begin() {
        at(MARK, 0, TEST_BEGIN, writer.text(ID));
        at(ALLOCATE, 0, MEMORY, 64);
    }

    /** A launch with one argument, which is all of the memory, and two blocks, of which each does something. */
    private void launch(long work, int use, boolean tells, Runnable first, Runnable second) {
        int kernel = writer.text("k" + work);
        at(WORK_BEGIN, STREAM, work, 1, kernel);
        at(ARGUMENT, STREAM, 0, use, MEMORY, use == UNKNOWN ? 0 : 64, work);
        int block = 0;
        for (Runnable each : List.of(first, second)) {
            int actor = (int) work * 10 + block;
            at(BLOCK_BEGIN, actor, halves(STREAM, kernel), work, halves(block++, 2), halves(0, tells ? 1 : 0), 0);
            each.run();
            at(BLOCK_END, actor, 0);
        }
        at(WORK_END, STREAM, work, 1, kernel, 0);
    }

    private Runnable access(int kind, int block, int write, long offset, long bytes, long pieces, long distance) {
        return () -> at(kind, 10 + block, MEMORY + offset, bytes, halves(write, pieces), 0, distance);
    }

    private void readAll() {
        at(COPY, STREAM, 2, 0x9000, MEMORY, 64);
    }

    private List<String> findings() throws IOException {
        SimulatorCheck.Result result =
                SimulatorCheck.of(List.of(writer.write(folder.resolve("log"))), ID, true, RankLog::open);
        assertThat(result.notChecked()).isEmpty();
        return result.findings();
    }

    private static void nothing() {}

    @Test
    void piecesThatLieInTheGapsOfOthersDoNotRace() throws IOException {
        begin();
        launch(
                1,
                INOUT,
                true,
                access(POINTER_ACCESS, 0, WRITE, 0, 4, 8, 8),
                access(POINTER_ACCESS, 1, WRITE, 4, 4, 8, 8));
        readAll();

        assertThat(findings()).isEmpty();
    }

    @Test
    void piecesThatMeetRaceAndTheFirstBytesAreNamed() throws IOException {
        begin();
        launch(
                1,
                INOUT,
                true,
                access(POINTER_ACCESS, 0, WRITE, 0, 4, 8, 8),
                access(POINTER_ACCESS, 1, READ, 20, 8, 2, 24));

        assertThat(findings())
                .anySatisfy(text -> assertThat(text)
                        .startsWith("race: two unordered accesses to 4 bytes at 0x718 in the memory of rank 0"));
    }

    @Test
    void gapsBetweenPiecesAreNotWritten() throws IOException {
        begin();
        launch(1, OUT, true, access(POINTER_ACCESS, 0, WRITE, 0, 12, 4, 16), ToldAccessesTest::nothing);
        readAll();

        assertThat(findings())
                .singleElement()
                .asString()
                .startsWith("unwritten: 4 bytes at 0x70c in the memory of rank 0 (bytes [12, 16) of the 64");
    }

    @Test
    void whatAKernelDeclaresCountsIfItDoesNotTellWhatItWrites() throws IOException {
        begin();
        launch(1, OUT, false, ToldAccessesTest::nothing, ToldAccessesTest::nothing);
        readAll();

        assertThat(findings()).isEmpty();
    }

    @Test
    void whatAKernelDoesNotDeclareIsKnownIfItTells() throws IOException {
        begin();
        launch(1, UNKNOWN, true, access(POINTER_ACCESS, 0, WRITE, 0, 32, 1, 0), ToldAccessesTest::nothing);
        readAll();

        assertThat(findings())
                .singleElement()
                .asString()
                .startsWith("unwritten: 32 bytes at 0x720 in the memory of rank 0");
    }

    @Test
    void oneKernelThatNeitherDeclaresNorTellsMayHaveWrittenIt() throws IOException {
        begin();
        launch(1, UNKNOWN, true, access(POINTER_ACCESS, 0, WRITE, 0, 32, 1, 0), ToldAccessesTest::nothing);
        launch(2, UNKNOWN, false, ToldAccessesTest::nothing, ToldAccessesTest::nothing);
        readAll();

        assertThat(findings()).isEmpty();
    }

    @Test
    void atomicChangesWriteButDoNotRace() throws IOException {
        begin();
        launch(
                1,
                UNKNOWN,
                true,
                access(ATOMIC_CHANGE, 0, READ, 0, 64, 1, 0),
                access(ATOMIC_CHANGE, 1, READ, 0, 64, 1, 0));
        readAll();

        assertThat(findings()).isEmpty();
    }

    @Test
    void whatIsWrittenOnlyAfterAReadWasNotWrittenBefore() throws IOException {
        begin();
        readAll();
        launch(1, OUT, false, ToldAccessesTest::nothing, ToldAccessesTest::nothing);
        readAll();

        assertThat(findings())
                .singleElement()
                .asString()
                .contains("unwritten: 64 bytes", "nothing had written them; they are written only later");
    }

    @Test
    void aKernelMayWriteWhatItReads() throws IOException {
        begin();
        launch(
                1,
                INOUT,
                true,
                () -> {
                    access(POINTER_ACCESS, 0, READ, 0, 64, 1, 0).run();
                    access(POINTER_ACCESS, 0, WRITE, 0, 64, 1, 0).run();
                },
                ToldAccessesTest::nothing);
        launch(2, INOUT, false, ToldAccessesTest::nothing, ToldAccessesTest::nothing);

        assertThat(findings()).isEmpty();
    }

    @Test
    void aKernelThatTellsAccessesWhatItDeclares() throws IOException {
        begin();
        at(COPY, STREAM, 1, MEMORY, 0x9000, 64);
        launch(1, IN, true, access(POINTER_ACCESS, 0, WRITE, 8, 4, 1, 0), ToldAccessesTest::nothing);

        assertThat(findings())
                .singleElement()
                .asString()
                .startsWith("undeclared: a kernel accesses 4 bytes at 0x708 in the memory of rank 0"
                        + " (bytes [8, 12) of the 64 of its allocation 1 in this test), which it declares only as input\n"
                        + "    written by rank 0, ");
    }
}
