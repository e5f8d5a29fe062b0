package org.rankunit.engine.timeline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.timeline.LogWriter.TEST_BEGIN;
import static org.rankunit.engine.timeline.LogWriter.TEST_END;
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.TimelineMode;
import org.rankunit.engine.timeline.LogWriter;

class TraceFolderTest {

    private static final int STREAM = 1;
    private static final int MARK = 2;
    private static final int ACTOR = 3;
    private static final int COPY = 12;
    private static final int WINDOW = 13;
    private static final int WINDOWS_FREED = 14;
    private static final int BARRIER_BEGIN = 15;
    private static final int WORK_BEGIN = 21;
    private static final int WORK_END = 22;
    private static final int NOTIFY_POST = 26;
    private static final int NOTIFY_WAIT = 27;
    private static final int SIGNAL = 30;
    private static final int WAIT = 31;
    private static final int BLOCK_BEGIN = 32;
    private static final int BLOCK_END = 33;
    private static final int ARGUMENT = 34;
    private static final int TASK = 44;
    private static final int EDGE = 45;
    private static final int RING = 50;

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:adds()]";
    private static final String TITLE = "A.adds [2 ranks, a2a3sim]";

    @TempDir
    Path folder;

    private final List<Path> logs = new ArrayList<>();

    /** A log in which the test has begun at 1000 ns, with stream 5 as actor 9. */
    private LogWriter begun() {
        LogWriter writer = new LogWriter();
        int id = writer.text(ID);
        return writer.event(ACTOR, 9, 500, 500, STREAM, 5).event(MARK, 0, 1000, 1000, TEST_BEGIN, id);
    }

    private void ended(LogWriter writer, long at) throws IOException {
        writer.event(MARK, 0, at, at, TEST_END, 1);
        add(writer);
    }

    private void add(LogWriter writer) throws IOException {
        logs.add(writer.write(folder.resolve("log" + logs.size())));
    }

    private TraceCheck written() throws IOException {
        Optional<Path> file = new TraceFolder(folder, TimelineMode.ON).write(logs, ID, TITLE, false);
        assertThat(file).isPresent();
        return TraceCheck.of(file.get());
    }

    @Test
    void theWorkOfStreamsAndTheHostAreSlicesInMicroseconds() throws IOException {
        LogWriter writer = begun();
        writer.event(COPY, 0, 1100, 2300, 1, 0x1000, 0x2000, 64)
                .event(WORK_BEGIN, 9, 3000, 3000, 1, 2)
                .event(COPY, 9, 3010, 3990, 3, 0x1000, 0x2000, 8)
                .event(WORK_END, 9, 3000, 4000, 1, 2);
        ended(writer, 5000);

        TraceCheck trace = written();

        assertThat(trace.slices(0))
                .containsExactly("host: " + TITLE, "host: copy in 64 bytes", "stream 5: copy 8 bytes");
        assertThat(trace.times(TITLE)).containsExactly("0.0+4.0");
        assertThat(trace.times("copy in 64 bytes")).containsExactly("0.1+1.2");
        assertThat(trace.details("copy 8 bytes"))
                .isEqualTo("{\"work\":\"1\",\"target\":\"0x1000\",\"source\":\"0x2000\"}");
    }

    @Test
    void anArrowLeadsFromAPostToTheWaitThatTookItOnAnotherRank() throws IOException {
        LogWriter first = begun();
        first.event(WORK_BEGIN, 9, 2000, 2000, 1, 5)
                .event(NOTIFY_POST, 9, 2010, 2020, 77, 4, 0)
                .event(NOTIFY_POST, 9, 2030, 2040, 77, 5, 4)
                .event(WORK_END, 9, 2000, 2100, 1, 5);
        ended(first, 5000);
        LogWriter second = begun();
        second.event(WORK_BEGIN, 9, 1500, 1500, 1, 6)
                .event(NOTIFY_WAIT, 9, 1510, 2200, 77, 5)
                .event(WORK_END, 9, 1500, 2210, 1, 6);
        ended(second, 5000);

        assertThat(written().arrows("notify"))
                .containsExactly("0 stream 5: post a notify -> 1 stream 5: wait for a notify");
    }

    /** The cell is the same although the ranks map the window of rank 1 at different addresses. */
    @Test
    void anArrowLeadsFromASignalToTheWaitThatSawItAndNotToALaterOne() throws IOException {
        LogWriter first = begun();
        first.event(WINDOW, 0, 1000, 1000, 1, 0, halves(1, 1), 0x7000, 4096)
                .event(WORK_BEGIN, 9, 2000, 2000, 1, 7)
                .event(SIGNAL, 9, 2010, 2010, 0x7010, 1, 1, 3)
                .event(WORK_END, 9, 2000, 2100, 1, 7)
                .event(WORK_BEGIN, 9, 6000, 6000, 2, 7)
                .event(SIGNAL, 9, 6010, 6010, 0x7010, 1, 1, 4)
                .event(WORK_END, 9, 6000, 6100, 2, 7);
        ended(first, 9000);
        LogWriter second = begun();
        second.event(WINDOW, 0, 1000, 1000, 1, 0, halves(1, 1), 0x9000, 4096)
                .event(WORK_BEGIN, 9, 1500, 1500, 1, 8)
                .event(WAIT, 9, 1510, 2200, 0x9010, 3, 1, 3, halves(1, 0))
                .event(WORK_END, 9, 1500, 2210, 1, 8)
                .event(WORK_BEGIN, 9, 2500, 2500, 2, 8)
                .event(WAIT, 9, 2510, 2520, 0x9010, 3, 1, 3, halves(1, 0))
                .event(WORK_END, 9, 2500, 2600, 2, 8);
        ended(second, 9000);

        assertThat(written().arrows("signal")).containsExactly("0 stream 5: signal -> 1 stream 5: wait for cells");
    }

    /** Memory at the address of a window that was freed is not that window. */
    @Test
    void aWindowThatWasFreedIsNoLongerMeant() throws IOException {
        LogWriter first = begun();
        first.event(WINDOW, 0, 1000, 1000, 1, 4, halves(1, 1), 0x7000, 4096)
                .event(WINDOWS_FREED, 0, 1500, 1500, 1, 4)
                .event(WORK_BEGIN, 9, 2000, 2000, 1, 7)
                .event(SIGNAL, 9, 2010, 2010, 0x7010, 1, 1, 3)
                .event(WORK_END, 9, 2000, 2100, 1, 7);
        ended(first, 9000);
        LogWriter second = begun();
        second.event(WINDOW, 0, 1000, 1000, 1, 4, halves(1, 1), 0x9000, 4096)
                .event(WORK_BEGIN, 9, 1500, 1500, 1, 8)
                .event(WAIT, 9, 1510, 2200, 0x9010, 3, 1, 3, halves(1, 0))
                .event(WORK_END, 9, 1500, 2210, 1, 8);
        ended(second, 9000);

        assertThat(written().arrows("signal")).isEmpty();
    }

    @Test
    void tasksAreOnTheirCoresWithTheirArgumentsAndDependencies() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("add");
        int name = writer.text("first");
        writer.event(TASK, 0, 2000, 2000, 20, 1, 1, halves(kernel, name), halves(2, 0))
                .event(ARGUMENT, 20, 2000, 2000, 0, 3, 0x1000, 8)
                .event(ARGUMENT, 20, 2000, 2000, 1, 0, 42)
                .event(TASK, 0, 2000, 2000, 21, 1, 2, halves(kernel, 0), halves(1, 0))
                .event(EDGE, 0, 2000, 2000, 20, 21)
                .event(BLOCK_BEGIN, 30, 2100, 2100, halves(20, kernel), 0, halves(0, 2), 3, halves(0, 0))
                .event(BLOCK_BEGIN, 31, 2110, 2110, halves(20, kernel), 0, halves(1, 2), 4, halves(1, 0))
                .event(BLOCK_END, 30, 2100, 2200)
                .event(BLOCK_END, 31, 2110, 2300, 1)
                .event(WAIT, 21, 2100, 2350, 0x50, 3, 1, 0, halves(1, 2))
                .event(BLOCK_BEGIN, 32, 2400, 2400, halves(21, kernel), 0, halves(0, 1), 3, halves(0, 0))
                .event(BLOCK_END, 32, 2400, 2500)
                .event(RING, 8, 2000, 2000, halves(1, 2), 7, 64, 1024, 4096);
        ended(writer, 5000);

        TraceCheck trace = written();

        assertThat(trace.slices(0)).contains("vector core 3: first", "cube core 4: first", "vector core 3: add");
        assertThat(trace.details("first"))
                .contains(
                        "\"block\":\"1 of 2\"",
                        "\"failed\":\"true\"",
                        "\"argument 0\":\"read and written 8 bytes at 0x1000\"")
                .contains("\"argument 1\":\"42\"");
        assertThat(trace.arrows("dependency")).containsExactly("0 cube core 4: first -> 0 vector core 3: add");
        assertThat(trace.values("ring 2 slots")).containsExactly("{\"in use\":7}");
        assertThat(trace.values("ring 2 heap")).containsExactly("{\"bytes in use\":1024}");
    }

    @Test
    void whatHasNotEndedReachesToTheLastEventAndSaysSo() throws IOException {
        LogWriter writer = begun();
        writer.event(BARRIER_BEGIN, 0, 2000, 2000, 1, 0, 3)
                .event(WORK_BEGIN, 9, 2500, 2500, 1, 8)
                .event(COPY, 0, 2600, 4000, 0, 0x10, 0, 4);
        add(writer);

        TraceCheck trace = written();

        assertThat(trace.times("barrier #3")).containsExactly("1.0+2.0");
        assertThat(trace.details("barrier #3")).contains("unfinished");
        assertThat(trace.details("wait for cells")).contains("unfinished");
        assertThat(trace.details(TITLE)).contains("unfinished");
    }

    @Test
    void slicesOfSeveralThreadsThatDoNotNestAreInRowsOfTheirOwn() throws IOException {
        LogWriter writer = begun();
        writer.event(COPY, 0, 1100, 2300, 1, 0x1000, 0x2000, 64).event(COPY, 0, 2000, 2500, 1, 0x1000, 0x2000, 32);
        ended(writer, 5000);

        assertThat(written().slices(0)).contains("host: copy in 64 bytes", "host (2): copy in 32 bytes");
    }

    @Test
    void onlyTheEventsOfTheTestAreInItsTimeline() throws IOException {
        LogWriter writer = new LogWriter();
        int other = writer.text("another test");
        int id = writer.text(ID);
        writer.event(MARK, 0, 1, 1, TEST_BEGIN, other)
                .event(COPY, 0, 2, 3, 0, 0x10, 0, 4)
                .event(MARK, 0, 4, 4, TEST_END, other)
                .event(MARK, 0, 10, 10, TEST_BEGIN, id)
                .event(COPY, 0, 12, 13, 0, 0x10, 0, 8)
                .event(MARK, 0, 14, 14, TEST_END, id)
                .event(COPY, 0, 15, 16, 0, 0x10, 0, 16);
        add(writer);

        assertThat(written().slices(0)).containsExactly("host: " + TITLE, "host: zero 8 bytes");
    }

    @Test
    void aLogThatWasFullIsMentioned() throws IOException {
        LogWriter writer = begun().drop(5);
        ended(writer, 2000);

        assertThat(written().otherData()).contains("\"rank 0\":\"5 events are missing");
    }

    @Test
    void aTimelineIsWrittenOnlyIfItIsWantedAndTheTestHasBegun() throws IOException {
        ended(begun(), 2000);

        assertThat(new TraceFolder(folder, TimelineMode.FAILED).write(logs, ID, TITLE, false))
                .isEmpty();
        assertThat(new TraceFolder(folder, TimelineMode.FAILED).write(logs, "another", TITLE, true))
                .isEmpty();
        assertThat(new TraceFolder(folder, TimelineMode.ON).write(List.of(), ID, TITLE, true))
                .isEmpty();
        assertThat(new TraceFolder(folder, TimelineMode.ON).write(List.of(folder.resolve("none")), ID, TITLE, true))
                .isEmpty();
        assertThat(folder.resolve("trace")).doesNotExist();

        Path file = new TraceFolder(folder, TimelineMode.FAILED)
                .write(logs, ID, TITLE, true)
                .orElseThrow();

        assertThat(file.getFileName().toString()).matches("A\\.adds-2-ranks-a2a3sim-[0-9a-f]{8}\\.json");
        try (Stream<Path> files = Files.list(folder.resolve("trace"))) {
            assertThat(files).containsExactly(file);
        }
    }
}
