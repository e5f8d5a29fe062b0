package org.rankunit.engine.timeline.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.rankunit.engine.timeline.EventKind.ACTOR;
import static org.rankunit.engine.timeline.EventKind.ARGUMENT;
import static org.rankunit.engine.timeline.EventKind.BARRIER_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BARRIER_END;
import static org.rankunit.engine.timeline.EventKind.BLOCK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BLOCK_END;
import static org.rankunit.engine.timeline.EventKind.COPY;
import static org.rankunit.engine.timeline.EventKind.EDGE;
import static org.rankunit.engine.timeline.EventKind.ENQUEUE;
import static org.rankunit.engine.timeline.EventKind.GRAPH_BEGIN;
import static org.rankunit.engine.timeline.EventKind.GRAPH_END;
import static org.rankunit.engine.timeline.EventKind.MARK;
import static org.rankunit.engine.timeline.EventKind.MEMORY_COPY;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_POST;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_WAIT;
import static org.rankunit.engine.timeline.EventKind.ORCHESTRATION_BEGIN;
import static org.rankunit.engine.timeline.EventKind.ORCHESTRATION_END;
import static org.rankunit.engine.timeline.EventKind.PUBLISH;
import static org.rankunit.engine.timeline.EventKind.RING;
import static org.rankunit.engine.timeline.EventKind.SIGNAL;
import static org.rankunit.engine.timeline.EventKind.STREAM_SYNC;
import static org.rankunit.engine.timeline.EventKind.TASK;
import static org.rankunit.engine.timeline.EventKind.TASK_END;
import static org.rankunit.engine.timeline.EventKind.WAIT;
import static org.rankunit.engine.timeline.EventKind.WINDOW;
import static org.rankunit.engine.timeline.EventKind.WINDOWS_FREED;
import static org.rankunit.engine.timeline.EventKind.WORK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.WORK_END;
import static org.rankunit.engine.timeline.LogWriter.TEST_BEGIN;
import static org.rankunit.engine.timeline.LogWriter.TEST_END;
import static org.rankunit.engine.timeline.LogWriter.halves;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.config.TimelineMode;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.engine.timeline.graphs.DotReader;

@Tag("unit")
class TraceFolderTest {

    private static final int STREAM = 1;

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

    private List<RecordFiles> records() {
        return logs.stream()
                .map(log -> new RecordFiles(log, log.resolveSibling(log.getFileName() + "-memory")))
                .toList();
    }

    private TestTimeline timeline(TimelineMode.Arguments arguments) {
        return new TraceFolder(folder, TimelineMode.ON, arguments)
                .write(this::records, ID, TITLE, false, List.of())
                .orElseThrow();
    }

    private TraceFolder traces(TimelineMode mode) {
        return new TraceFolder(folder, mode, TimelineMode.Arguments.NONE);
    }

    private TraceCheck written() throws IOException {
        return TraceCheck.of(timeline(TimelineMode.Arguments.NONE).file());
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

    /** They may begin before the test, and be around what the host does in them. */
    @Test
    void phasesAreSlicesOfTheHost() throws IOException {
        LogWriter writer = begun();
        writer.event(COPY, 0, 1200, 1300, 2, 0x1000, 0x2000, 64);
        ended(writer, 5000);
        List<HostPhase> phases =
                List.of(new HostPhase(0, "bring up", 200, 800), new HostPhase(0, "collect outputs", 1100, 1400));

        TraceCheck trace = TraceCheck.of(traces(TimelineMode.ON)
                .write(this::records, ID, TITLE, false, phases)
                .orElseThrow()
                .file());

        assertThat(trace.slices(0))
                .containsExactly(
                        "host: bring up", "host: " + TITLE, "host: collect outputs", "host: copy out 64 bytes");
        assertThat(trace.times("bring up")).containsExactly("0.0+0.6");
        assertThat(trace.times("collect outputs")).containsExactly("0.9+0.3");
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

        assertThat(traces(TimelineMode.FAILED).write(this::records, ID, TITLE, false, List.of()))
                .isEmpty();
        assertThat(traces(TimelineMode.FAILED).write(this::records, "another", TITLE, true, List.of()))
                .isEmpty();
        assertThat(traces(TimelineMode.ON).write(List::of, ID, TITLE, true, List.of()))
                .isEmpty();
        assertThat(traces(TimelineMode.ON)
                        .write(
                                () -> List.of(new RecordFiles(folder.resolve("none"), folder.resolve("none"))),
                                ID,
                                TITLE,
                                true,
                                List.of()))
                .isEmpty();
        assertThat(folder.resolve("trace")).doesNotExist();

        Path file = traces(TimelineMode.FAILED)
                .write(this::records, ID, TITLE, true, List.of())
                .orElseThrow()
                .file();

        assertThat(file.getFileName().toString()).matches("A\\.adds-2-ranks-a2a3sim-[0-9a-f]{8}\\.json");
        try (Stream<Path> files = Files.list(folder.resolve("trace"))) {
            assertThat(files).containsExactly(file);
        }
    }

    /** Task 0 is published at 2100 and begins at 2400; task 1 waits for it and for a cell, which rank 1 signals. */
    private void graphOfTwoTasks(LogWriter writer, String nameOfFirst) {
        int kernel = writer.text("add");
        int name = writer.text(nameOfFirst);
        int graph = writer.text("sum");
        writer.event(WINDOW, 0, 1500, 1500, 1, 0, halves(0, 0), 0x9000, 4096)
                .event(GRAPH_BEGIN, 0, 2000, 2000, 3, graph)
                .event(TASK, 0, 2010, 2010, 20, 3, 0, halves(kernel, name), halves(1, 0))
                .event(ARGUMENT, 20, 2010, 2010, 0, 2, 0x9020, 8)
                .event(ARGUMENT, 20, 2010, 2010, 1, 0, 42)
                .event(PUBLISH, 0, 2100, 2100, 20)
                .event(TASK, 0, 2110, 2110, 21, 3, 1, halves(kernel, 0), halves(1, 1))
                .event(EDGE, 0, 2120, 2120, 20, 21, 1)
                .event(PUBLISH, 0, 2130, 2130, 21)
                .event(BLOCK_BEGIN, 30, 2400, 2400, halves(20, kernel), 0, halves(0, 1), 3, halves(0, 0))
                .event(BLOCK_END, 30, 2400, 3400)
                .event(TASK_END, 20, 3450, 3450, 3)
                .event(WAIT, 21, 3460, 3900, 0x9010, 3, 1, 1, halves(1, 2))
                .event(BLOCK_BEGIN, 31, 4000, 4000, halves(21, kernel), 0, halves(0, 1), 5, halves(1, 0))
                .event(BLOCK_END, 31, 4000, 4600)
                .event(TASK_END, 21, 4700, 4700, 3)
                .event(GRAPH_END, 0, 2000, 4800, 3);
    }

    /** Its stream copies from 1200 on, and signals at 3800. */
    private LogWriter copyAndSignal() {
        LogWriter writer = begun();
        return writer.event(WINDOW, 0, 1050, 1050, 1, 0, halves(0, 0), 0x7000, 4096)
                .event(ENQUEUE, 0, 1100, 1100, 1, 2, 9)
                .event(ENQUEUE, 0, 1110, 1110, 2, 7, 9)
                .event(WORK_BEGIN, 9, 1200, 1200, 1, 2)
                .event(COPY, 9, 1210, 3590, 3, 0x1000, 0x2000, 8)
                .event(WORK_END, 9, 1200, 3600, 1, 2)
                .event(WORK_BEGIN, 9, 3700, 3700, 2, 7)
                .event(SIGNAL, 9, 3800, 3800, 0x7010, 1, 1, 1)
                .event(WORK_END, 9, 3700, 3810, 2, 7)
                .event(STREAM_SYNC, 0, 3900, 3900, 9, 2);
    }

    private void twoTasksAndASignal(String nameOfFirst) throws IOException {
        LogWriter first = begun();
        graphOfTwoTasks(first, nameOfFirst);
        ended(first, 5000);
        ended(copyAndSignal(), 4000);
    }

    @Test
    void theSchedulerShowsSinceWhenATaskWasReadyAndHowLongItTookToComplete() throws IOException {
        twoTasksAndASignal("first");

        TraceCheck trace = written();

        assertThat(trace.slices(0))
                .contains(
                        "scheduler: dispatch: dispatch first",
                        "scheduler: completion: complete first",
                        "scheduler: dispatch: dispatch add",
                        "scheduler: completion: complete add");
        assertThat(trace.times("dispatch first")).containsExactly("1.1+0.3");
        assertThat(trace.details("dispatch first")).contains("\"ready when\":\"it was published\"");
        assertThat(trace.times("complete first")).containsExactly("2.4+0.05");
        assertThat(trace.times("dispatch add")).containsExactly("2.9+0.1");
        assertThat(trace.details("dispatch add")).contains("\"ready when\":\"its waits were satisfied\"");
        assertThat(trace.arrows("dispatch"))
                .containsExactly(
                        "0 scheduler: dispatch: dispatch first -> 0 vector core 3: first",
                        "0 scheduler: dispatch: dispatch add -> 0 cube core 5: add");
        assertThat(trace.values("ready tasks"))
                .containsExactly("{\"tasks\":1}", "{\"tasks\":0}", "{\"tasks\":1}", "{\"tasks\":0}");
    }

    @Test
    void aTaskIsReadyWhenTheLastTaskThatItDependsOnHasCompleted() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("add");
        writer.event(GRAPH_BEGIN, 0, 2000, 2000, 3)
                .event(TASK, 0, 2010, 2010, 20, 3, 7, halves(kernel, 0), halves(1, 0))
                .event(TASK, 0, 2010, 2010, 21, 3, 8, halves(kernel, kernel), halves(1, 0))
                .event(EDGE, 0, 2020, 2020, 20, 21)
                .event(TASK_END, 20, 2500, 2500, 3, 1)
                .event(BLOCK_BEGIN, 31, 2600, 2600, halves(21, kernel), 0, halves(0, 1), 5, halves(0, 0))
                .event(BLOCK_END, 31, 2600, 2700);
        ended(writer, 5000);

        TraceCheck trace = written();

        assertThat(trace.times("dispatch add")).containsExactly("1.5+0.1");
        assertThat(trace.details("dispatch add")).contains("\"ready when\":\"task 7 had completed\"");
        assertThat(trace.times("skip add")).as("as it was skipped").containsExactly("1.01+0.49");
    }

    @Test
    void moreTasksThanThereAreRowsAreCountedAndTheOthersLeftOut() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("add");
        writer.event(GRAPH_BEGIN, 0, 2000, 2000, 3);
        for (int i = 0; i < 40; i++) {
            writer.event(TASK, 0, 2000, 2000, 100 + i, 3, i, halves(kernel, 0), halves(1, 0));
        }
        for (int i = 0; i < 40; i++) {
            int at = 3000 + 10 * i;
            writer.event(BLOCK_BEGIN, 200 + i, at, at, halves(100 + i, kernel), 0, halves(0, 1), 5, halves(0, 0))
                    .event(BLOCK_END, 200 + i, at, at + 5);
        }
        ended(writer, 5000);

        TraceCheck trace = written();

        assertThat(trace.slices(0))
                .filteredOn(slice -> slice.endsWith("dispatch add"))
                .hasSize(16);
        assertThat(trace.arrows("dispatch")).hasSize(16);
        assertThat(trace.values("ready tasks")).contains("{\"tasks\":40}").hasSize(41);
        assertThat(trace.otherData()).contains("\"left out\":\"24 slices");
    }

    /** From the end back: task 1 began when rank 1 had signalled, and that when the copy of its stream had ended. */
    @Test
    void theCriticalPathLeadsFromTheEndToWhatWasAwaitedLastAcrossRanks() throws IOException {
        twoTasksAndASignal("first");

        TraceCheck trace = written();

        assertThat(trace.slices(Lane.PATHS))
                .containsExactly(
                        "test: critical path of the test",
                        "test: rank 1, host",
                        "test: wait of rank 1, stream 5",
                        "test: copy by rank 1, stream 5",
                        "test: wait of rank 1, stream 5",
                        "test: wait of rank 0, scheduler, add",
                        "test: wait of rank 0, cube core 5, add",
                        "test: rank 0, cube core 5, add",
                        "test: wait of rank 0, scheduler, add",
                        "test: wait of rank 0, host",
                        "test: rank 0, host",
                        "graphs of rank 0: critical path of run 3",
                        "graphs of rank 0: copy by rank 1, stream 5",
                        "graphs of rank 0: wait of rank 1, stream 5",
                        "graphs of rank 0: wait of rank 0, scheduler, add",
                        "graphs of rank 0: wait of rank 0, cube core 5, add",
                        "graphs of rank 0: rank 0, cube core 5, add",
                        "graphs of rank 0: wait of rank 0, scheduler, add",
                        "graphs of rank 0: wait of rank 0, host");
        // 1000 to 5000: 600 in the block, 2390 in the copy with its end, 100 + 200 in the host.
        assertThat(trace.otherData())
                .contains("\"critical path\":\"4.000 us: compute 15.0 %, copy 59.8 %, host 7.5 %, orchestration 0.0 %,"
                        + " wait 17.8 %\"");
        assertThat(trace.details("critical path of run 3"))
                .isEqualTo("{\"length\":\"2.800 us\",\"compute\":\"0.600 us\",\"copy\":\"1.600 us\","
                        + "\"host\":\"0.000 us\",\"orchestration\":\"0.000 us\",\"wait\":\"0.600 us\"}");
        assertThat(trace.details("rank 0, cube core 5, add"))
                .isEqualTo("{\"until\":\"rank 0, cube core 5, add: block end\"}");
    }

    /** The signal was there long before task 1 looked, which it did when task 0 had completed. */
    @Test
    void theCriticalPathLeadsToTheDependencyAfterWhichATaskLookedAtItsCells() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("add");
        int second = writer.text("second");
        int function = writer.text("sums");
        writer.event(WORK_BEGIN, 9, 1100, 1100, 2, 7)
                .event(SIGNAL, 9, 1200, 1200, 0x7010, 1, 1, 1)
                .event(WORK_END, 9, 1100, 1210, 2, 7)
                .event(GRAPH_BEGIN, 0, 2000, 2000, 3)
                .event(ACTOR, 8, 2100, 2100, 2, 3, function)
                .event(ORCHESTRATION_BEGIN, 8, 2150, 2150, 3)
                .event(TASK, 8, 2200, 2200, 20, 3, 0, halves(kernel, 0), halves(1, 0))
                .event(PUBLISH, 8, 2300, 2300, 20)
                .event(TASK, 8, 2310, 2310, 21, 3, 1, halves(kernel, second), halves(1, 0))
                .event(ARGUMENT, 21, 2320, 2320, 0, 0, 42)
                .event(EDGE, 8, 2330, 2330, 20, 21)
                .event(PUBLISH, 8, 2340, 2340, 21)
                .event(ORCHESTRATION_END, 8, 2150, 2350, 3)
                .event(BLOCK_BEGIN, 30, 2500, 2500, halves(20, kernel), 0, halves(0, 1), 3, halves(0, 0))
                .event(BLOCK_END, 30, 2500, 3500)
                .event(TASK_END, 20, 3510, 3510, 3)
                .event(WAIT, 21, 3520, 3530, 0x7010, 3, 1, 1, halves(1, 2))
                .event(BLOCK_BEGIN, 31, 3600, 3600, halves(21, kernel), 0, halves(0, 1), 3, halves(0, 0))
                .event(BLOCK_END, 31, 3600, 4000)
                .event(TASK_END, 21, 4010, 4010, 3)
                .event(GRAPH_END, 0, 2000, 4100, 3);
        ended(writer, 5000);

        assertThat(written().slices(Lane.PATHS))
                .filteredOn(slice -> slice.startsWith("test: "))
                .containsExactly(
                        "test: critical path of the test",
                        "test: rank 0, host",
                        "test: wait of rank 0, sums",
                        "test: rank 0, sums",
                        "test: wait of rank 0, vector core 3, add",
                        "test: rank 0, vector core 3, add",
                        "test: wait of rank 0, scheduler, add",
                        "test: wait of rank 0, scheduler, second",
                        "test: wait of rank 0, vector core 3, second",
                        "test: rank 0, vector core 3, second",
                        "test: wait of rank 0, scheduler, second",
                        "test: wait of rank 0, host",
                        "test: rank 0, host");
    }

    @Test
    void theCriticalPathOfABarrierGoesOnAtTheRankThatCameLast() throws IOException {
        LogWriter first = begun();
        first.event(BARRIER_BEGIN, 0, 2000, 2000, 1, 0, 3).event(BARRIER_END, 0, 2000, 4100, 1, 0, 3);
        ended(first, 6000);
        LogWriter second = begun();
        second.event(BARRIER_BEGIN, 0, 4000, 4000, 1, 0, 3).event(BARRIER_END, 0, 4000, 4200, 1, 0, 3);
        ended(second, 5000);

        assertThat(written().slices(Lane.PATHS))
                .containsExactly(
                        "test: critical path of the test",
                        "test: rank 1, host",
                        "test: wait of rank 0, host",
                        "test: rank 0, host");
    }

    @Test
    void theTimesInWhichCoresAndStreamsWereBusyAreSharesOfTheTest() throws IOException {
        twoTasksAndASignal("first");

        TestTimeline timeline = timeline(TimelineMode.Arguments.NONE);

        assertThat(timeline.busy())
                .containsExactly(
                        new LaneUse(0, "cube core 5", 0.15),
                        new LaneUse(0, "vector core 3", 0.25),
                        // 2400 ns of copying and 110 ns of signalling in 3000 ns.
                        new LaneUse(1, "stream 5", 2510.0 / 3000));
        assertThat(TraceCheck.of(timeline.file()).otherData())
                .contains("\"busy on rank 0\":\"cube core 5 15.0 %, vector core 3 25.0 %\"");
    }

    /** Slices may overlap, begin before the test, or not have ended. */
    @Test
    void timeCountsOnceAndOnlyWithinTheTest() throws IOException {
        LogWriter writer = begun();
        writer.event(WORK_BEGIN, 9, 1100, 1100, 1, 7)
                .event(WORK_BEGIN, 9, 1200, 1200, 2, 2)
                .event(WORK_END, 9, 1100, 1400, 1, 7)
                .event(WORK_END, 9, 1200, 1300, 2, 2)
                .event(WORK_BEGIN, 9, 1500, 1500, 3, 8)
                .event(WORK_END, 9, 1500, 1900, 3, 8);
        ended(writer, 2000);

        assertThat(timeline(TimelineMode.Arguments.NONE).busy())
                .as("without the wait")
                .containsExactly(new LaneUse(0, "stream 5", 0.3));
    }

    @Test
    void theGraphsOfATestAreFilesBesideItsTimeline() throws IOException {
        twoTasksAndASignal("a \"first\" \\ task\n[x];");

        DotReader dot = DotReader.of(beside(timeline(TimelineMode.Arguments.NONE), ".dot"));

        assertThat(dot.clusters()).containsExactly("rank 0, run 3: sum");
        assertThat(dot.labels())
                .containsExactly(
                        entry("0/3/0", "task 0 a \"first\" \\ task\\n[x];\\nkernel add\\n1 block, vector"),
                        entry("0/3/1", "task 1 add\\nkernel add\\n1 block, cube"),
                        entry("rank 1, stream 5", ""));
        assertThat(dot.edges()).containsExactly("0/3/0 -> 0/3/1 (derived)", "rank 1, stream 5 -> 0/3/1 (signal)");
    }

    @Test
    void theGraphsHaveTheValuesOfArgumentsIfTheyAreWanted() throws IOException {
        twoTasksAndASignal("first");

        JsonNode without = graphs(timeline(TimelineMode.Arguments.NONE));
        JsonNode run = without.get("runs").get(0);
        assertThat(without.get("runs")).hasSize(1);
        assertThat(run.get("graph").asText()).isEqualTo("sum");
        assertThat(run.get("nanoseconds").asLong()).isEqualTo(2800);
        assertThat(run.get("edges").toString()).isEqualTo("[{\"from\":\"0\",\"to\":\"1\",\"kind\":\"derived\"}]");
        assertThat(run.get("tasks").get(0).toString())
                .isEqualTo("{\"task\":\"0\",\"name\":\"first\",\"kernel\":\"add\",\"cores\":\"vector\",\"blocks\":1,"
                        + "\"skipped\":false,\"arguments\":[{\"index\":0,\"use\":\"written\",\"bytes\":8},"
                        + "{\"index\":1,\"use\":\"scalar\"}],\"waits\":[]}");
        assertThat(run.get("tasks").get(1).get("waits").toString())
                .isEqualTo("[{\"cell\":\"window of rank 0 + 16\",\"until\":\">= 1\",\"found\":1,"
                        + "\"signals\":[{\"rank\":1,\"by\":\"stream 5\"}]}]");

        JsonNode with = graphs(timeline(TimelineMode.Arguments.VALUES));
        assertThat(with.get("runs").get(0).get("tasks").get(0).get("arguments").toString())
                .isEqualTo("[{\"index\":0,\"use\":\"written\",\"bytes\":8,\"value\":\"0x9020\","
                        + "\"at\":\"window of rank 0 + 32\"},{\"index\":1,\"use\":\"scalar\",\"value\":\"0x2a\"}]");
    }

    @Test
    void copiesOfMemoryAreFilesThatTheGraphsName() throws IOException {
        LogWriter writer = begun();
        writer.event(GRAPH_BEGIN, 0, 1100, 1100, 3, writer.text("sum"))
                .event(TASK, 0, 1200, 1200, 11, 3, 7, 0, 1)
                .event(ARGUMENT, 11, 1200, 1200, 0, 3, 0x9000, 4)
                .event(ARGUMENT, 11, 1200, 1200, 1, 1, 0x9010, 4)
                .event(MEMORY_COPY, 11, 1300, 1300, 0, 0, 4)
                .event(MEMORY_COPY, 11, 1300, 1300, 1, 2, 4)
                .event(MEMORY_COPY, 11, 1400, 1400, 1L << 32, -1, 4)
                .event(TASK_END, 11, 1500, 1500, 3);
        ended(writer, 2000);
        Path memory = Files.write(records().get(0).memory(), new byte[] {1, 2, 3, 4, 5});

        TestTimeline timeline = timeline(TimelineMode.Arguments.MEMORY);

        assertThat(graphs(timeline).get("runs").get(0).get("tasks").get(0).get("arguments"))
                .extracting(argument -> argument.get("before") + ", " + argument.get("after"))
                .as("not what is missing in the file, and not what was not copied")
                .containsExactly("\"rank-0-run-3-task-7-argument-0-before.bin\", null", "null, null");
        Path folderOfCopies = beside(timeline, ".arguments");
        assertThat(folderOfCopies.resolve("rank-0-run-3-task-7-argument-0-before.bin"))
                .hasBinaryContent(new byte[] {1, 2, 3, 4});
        assertThat(memory).doesNotExist();
    }

    @Test
    void copiesOfMemoryGoWithTheirTestIfItsTimelineIsNotWanted() throws IOException {
        ended(begun(), 2000);
        Path memory = Files.write(records().get(0).memory(), new byte[1]);

        new TraceFolder(folder, TimelineMode.FAILED, TimelineMode.Arguments.MEMORY)
                .write(this::records, ID, TITLE, false, List.of());

        assertThat(memory).doesNotExist();
    }

    private static Path beside(TestTimeline timeline, String suffix) {
        String name = timeline.file().getFileName().toString();
        return timeline.file().resolveSibling(name.replaceAll("\\.json$", "") + suffix);
    }

    private static JsonNode graphs(TestTimeline timeline) throws IOException {
        return new ObjectMapper().readTree(beside(timeline, ".graph.json").toFile());
    }
}
