package org.rankunit.engine.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.timeline.EventKind.ACTOR;
import static org.rankunit.engine.timeline.EventKind.ALLOCATE;
import static org.rankunit.engine.timeline.EventKind.ARGUMENT;
import static org.rankunit.engine.timeline.EventKind.BARRIER_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BARRIER_END;
import static org.rankunit.engine.timeline.EventKind.BLOCK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BLOCK_END;
import static org.rankunit.engine.timeline.EventKind.COPY;
import static org.rankunit.engine.timeline.EventKind.DEFERRED_COMPLETE;
import static org.rankunit.engine.timeline.EventKind.EDGE;
import static org.rankunit.engine.timeline.EventKind.ENQUEUE;
import static org.rankunit.engine.timeline.EventKind.FREE;
import static org.rankunit.engine.timeline.EventKind.GRAPH_BEGIN;
import static org.rankunit.engine.timeline.EventKind.GRAPH_END;
import static org.rankunit.engine.timeline.EventKind.LEFT_OUT;
import static org.rankunit.engine.timeline.EventKind.MARK;
import static org.rankunit.engine.timeline.EventKind.NAMED;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_GONE;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_POST;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_WAIT;
import static org.rankunit.engine.timeline.EventKind.PUBLISH;
import static org.rankunit.engine.timeline.EventKind.RING;
import static org.rankunit.engine.timeline.EventKind.SCOPE_BEGIN;
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
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.timeline.EventKind;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.engine.timeline.RankLog;

/** Checks of logs that were written by hand. The names of events are those of {@code format.h}. */
@Tag("unit")
class SimulatorCheckTest {

    private static final long TENSOR = 10;
    private static final int TRANSFER = 3;
    private static final int PREDICATE = 3;
    private static final int GE = 3;

    private static final long ACROSS = 3;
    private static final long READ = 1;
    private static final long WRITTEN = 2;

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";
    private static final int UNKNOWN = 4;
    private static final int RUN = 7;
    private static final int STREAM = 3;
    private static final int OTHER_STREAM = 4;

    @TempDir
    Path folder;

    private final List<Path> logs = new ArrayList<>();
    private int time = 1000;

    private LogWriter begun() {
        LogWriter writer = new LogWriter();
        int id = writer.text(ID);
        for (int rank = 0; rank < 2; rank++) {
            at(writer, WINDOW, 0, 1, 0, halves(rank, rank), 0x10000L * (rank + 1), 0x1000);
        }
        return at(writer, MARK, 0, TEST_BEGIN, id);
    }

    private LogWriter at(LogWriter writer, EventKind kind, int actor, long... words) {
        time++;
        return writer.event(kind, actor, time, time, words);
    }

    private void copy(LogWriter writer, int actor, long target, long source) {
        at(writer, COPY, actor, ACROSS, target, source, 16);
    }

    private void graph(LogWriter writer) {
        int name = writer.text("g");
        at(writer, GRAPH_BEGIN, 0, RUN, name, writer.text("a graph"));
    }

    /** Only runs of {@code tensormap_and_ringbuffer} have rings. */
    private void ring(LogWriter writer) {
        at(writer, RING, 0, halves(RUN, 0), 1, 64, 0, 1024);
    }

    /** A task with one tensor and one block, whose actor is the next number. */
    private void task(LogWriter writer, int actor, long use, long address, EventKind... inBlock) {
        int kernel = writer.text("k" + actor);
        at(writer, TASK, 0, actor, RUN, actor, halves(kernel, 0), 1);
        at(writer, ARGUMENT, actor, 0, use, address, 16, 0);
        at(writer, PUBLISH, 0, actor);
        at(writer, BLOCK_BEGIN, actor + 1, halves(actor, kernel), RUN, halves(0, 1), 0, 0);
        for (EventKind kind : inBlock) {
            cell(writer, kind, actor + 1);
        }
        at(writer, BLOCK_END, actor + 1, 0);
        at(writer, TASK_END, actor, RUN, 0);
    }

    /** The first signal to the first cell of rank 1's window, or a wait that has seen it. */
    private void cell(LogWriter writer, EventKind kind, int actor) {
        if (kind == SIGNAL) {
            at(writer, SIGNAL, actor, 0x20000, 0, 1, 1);
        } else {
            at(writer, WAIT, actor, 0x20000, 0, 1, 1, halves(1, 0));
        }
    }

    /** A launch on a stream with one declared tensor and one block, whose actor is the next number. */
    private void launch(LogWriter writer, int actor, long work, long use, long address, EventKind... inBlock) {
        int kernel = writer.text("k" + work);
        at(writer, WORK_BEGIN, actor, work, 1, kernel);
        at(writer, ARGUMENT, actor, 0, use, address, 16, work);
        int block = (int) (work * 10);
        at(writer, BLOCK_BEGIN, block, halves(actor, kernel), work, halves(0, 1), 0, 0);
        for (EventKind kind : inBlock) {
            cell(writer, kind, block);
        }
        at(writer, BLOCK_END, block, 0);
        at(writer, WORK_END, actor, work, 1, kernel, 0);
    }

    private SimulatorCheck.Result result(LogWriter... writers) throws IOException {
        for (LogWriter writer : writers) {
            logs.add(writer.write(folder.resolve("log" + logs.size())));
        }
        return SimulatorCheck.of(logs, ID, true, RankLog::open);
    }

    private List<String> findings(LogWriter... writers) throws IOException {
        SimulatorCheck.Result result = result(writers);
        assertThat(result.notChecked()).isEmpty();
        return result.findings();
    }

    @Test
    void tasksOfATensorMapAreOrderedByTheirArgumentsAlthoughTheLogHasNoEdge() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        task(writer, 20, WRITTEN, 0x500);
        ring(writer);
        task(writer, 30, READ, 0x508);
        ring(writer);
        at(writer, GRAPH_END, 0, RUN, 0);

        assertThat(findings(writer)).isEmpty();
    }

    @Test
    void aTaskIsNotOrderedByAnArgumentWhoseDependenciesWereLeftOut() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        task(writer, 20, WRITTEN, 0x500);
        ring(writer);
        at(writer, LEFT_OUT, 0, TENSOR, 2, 30, 0);
        task(writer, 30, READ, 0x508);
        ring(writer);
        at(writer, GRAPH_END, 0, RUN, 0);

        assertThat(findings(writer))
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("race: "),
                        text -> assertThat(text).startsWith("left out on purpose: tensor 2 of rank 0, host "));
    }

    @Test
    void dependenciesThatWereLeftOutMayFollowFromOthers() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        task(writer, 20, WRITTEN, 0x500);
        ring(writer);
        task(writer, 30, WRITTEN, 0x500);
        ring(writer);
        at(writer, LEFT_OUT, 0, TENSOR, 3, 40, 1);
        task(writer, 40, READ, 0x500);
        at(writer, ARGUMENT, 40, 1, READ, 0x500, 16, 0);
        ring(writer);
        at(writer, GRAPH_END, 0, RUN, 0);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .isEqualTo("left out on purpose: tensor 3 of rank 0, host (rankunit.sim.mutate);"
                        + " other steps impose the same order");
    }

    @Test
    void tasksThatTheHostMadeAreNot() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        task(writer, 20, WRITTEN, 0x500);
        task(writer, 30, READ, 0x508);
        task(writer, 40, READ, 0x508);
        at(writer, GRAPH_END, 0, RUN, 0);

        assertThat(findings(writer))
                .hasSize(2)
                .allSatisfy(text -> assertThat(text)
                        .startsWith("race: two unordered accesses to 8 bytes at 0x508 in the memory of rank 0\n")
                        .contains("written by rank 0, task 20 (kernel \"k20\") of graph \"g\": argument 0"));
    }

    @Test
    void aTaskMayReadAndWriteTheSameBytes() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        at(writer, TASK, 0, 20, RUN, 1, halves(kernel, 0), 2);
        at(writer, ARGUMENT, 20, 0, READ, 0x500, 16, 0);
        at(writer, ARGUMENT, 20, 1, WRITTEN, 0x500, 16, 0);
        for (int block = 0; block < 2; block++) {
            at(writer, BLOCK_BEGIN, 21 + block, halves(20, kernel), RUN, halves(block, 2), 0, 0);
            copy(writer, 21 + block, 0x500, 0x700);
            at(writer, BLOCK_END, 21 + block, 0);
        }
        at(writer, TASK_END, 20, RUN, 0);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains(", block 0 of 2 on vector core 0: a copy", ", block 1 of 2 on vector core 0: a copy");
    }

    @Test
    void tasksOfAManualScopeAreOnlyOrderedByHand() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        ring(writer);
        at(writer, SCOPE_BEGIN, 0, RUN, 1, 0, 1);
        task(writer, 20, WRITTEN, 0x500);
        task(writer, 30, WRITTEN, 0x500);

        assertThat(findings(writer)).hasSize(1);
    }

    @Test
    void aTaskReadsAfterItsWaitsAndWritesBeforeItsSignals() throws IOException {
        LogWriter writes = begun();
        graph(writes);
        task(writes, 20, WRITTEN, 0x20100, SIGNAL);
        LogWriter reads = begun();
        graph(reads);
        task(reads, 20, READ, 0x20100, WAIT);

        assertThat(findings(writes, reads)).isEmpty();
    }

    @Test
    void whatIsWrittenAfterTheSignalIsNotOrderedByIt() throws IOException {
        LogWriter writes = begun();
        cell(writes, SIGNAL, STREAM);
        copy(writes, STREAM, 0x20100, 0x500);
        LogWriter reads = begun();
        cell(reads, WAIT, STREAM);
        copy(reads, STREAM, 0x500, 0x20108);

        assertThat(findings(writes, reads))
                .singleElement()
                .asString()
                .startsWith("race: two unordered accesses to bytes [264, 272) of the window of rank 1\n")
                .contains("written by rank 0, host: a copy", "read by rank 1, host: a copy");
    }

    @Test
    void aBarrierOrdersTheHostsAndNotTheStreams() throws IOException {
        LogWriter first = begun();
        copy(first, 0, 0x20100, 0x500);
        copy(first, STREAM, 0x20200, 0x500);
        at(first, BARRIER_BEGIN, 0, 1, 0, 1);
        at(first, BARRIER_END, 0, 1, 0, 1);
        LogWriter second = begun();
        at(second, BARRIER_BEGIN, 0, 1, 0, 1);
        at(second, BARRIER_END, 0, 1, 0, 1);
        copy(second, 0, 0x500, 0x20100);
        copy(second, 0, 0x600, 0x20200);

        assertThat(findings(first, second)).singleElement().asString().contains("bytes [512, 528)");
    }

    @Test
    void bytesOfABufferHaveItsNameOnWhicheverRankItIsAndWhoeverUsesIt() throws IOException {
        LogWriter first = begun();
        at(first, NAMED, 0, 0x500, 0x20, first.text("own"));
        copy(first, STREAM, 0x20100, 0x500);
        copy(first, OTHER_STREAM, 0x510, 0x10000);
        copy(first, STREAM, 0x10000, 0x518);
        LogWriter second = begun();
        at(second, NAMED, 0, 0x20100, 8, second.text("left"));
        at(second, NAMED, 0, 0x20108, 0x40, second.text("right"));
        copy(second, STREAM, 0x600, 0x2010c);
        copy(second, OTHER_STREAM, 0x20104, 0x700);

        assertThat(findings(first, second))
                .extracting(text -> text.lines().findFirst().orElse(""))
                .containsExactlyInAnyOrder(
                        "race: two unordered accesses to bytes [260, 272) of the window of rank 1 (`left`, `right`)",
                        "race: two unordered accesses to bytes [4, 12) of `right` of rank 1",
                        "race: two unordered accesses to bytes [24, 32) of `own` of rank 0",
                        "race: two unordered accesses to bytes [0, 16) of the window of rank 0");
    }

    @Test
    void ofTwoAllocationsWithTheSameAddressTheOneThatWasUsedIsNamed() throws IOException {
        LogWriter writer = begun();
        at(writer, ALLOCATE, 0, 0x700, 64);
        at(writer, FREE, 0, 0x700);
        at(writer, ALLOCATE, 0, 0x700, 32);
        copy(writer, 0, 0x500, 0x710);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains(" (bytes [16, 32) of the 32 of its allocation 2 in this test) ");
    }

    @Test
    void memoryIsNotFreedWhileItIsUsed() throws IOException {
        LogWriter writer = begun();
        at(writer, ALLOCATE, 0, 0x700, 64);
        // a kernel that may have written it
        at(writer, ARGUMENT, 0, 0, UNKNOWN, 0x700, 0, 5);
        copy(writer, STREAM, 0x500, 0x710);
        at(writer, FREE, 0, 0x700);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains("read by ", "written by rank 0, host: freeing");
    }

    @Test
    void memoryThatNobodyWroteIsNamedByteByByte() throws IOException {
        LogWriter writer = begun();
        at(writer, ALLOCATE, 0, 0x700, 64);
        copy(writer, 0, 0x704, 0x500);
        copy(writer, 0, 0x500, 0x700);
        copy(writer, 0, 0x500, 0x708);

        assertThat(findings(writer))
                .containsExactly(
                        "unwritten: 4 bytes at 0x700 in the memory of rank 0 (bytes [0, 4) of the 64 of its allocation 1"
                                + " in this test) were read, but nothing has written them\n"
                                + "    read by rank 0, host: a copy",
                        "unwritten: 4 bytes at 0x714 in the memory of rank 0 (bytes [20, 24) of the 64 of its allocation"
                                + " 1 in this test) were read, but nothing has written them\n"
                                + "    read by rank 0, host: a copy");
    }

    @Test
    void whatAKernelOutsideOfAGraphMayHaveWrittenIsNotBlamed() throws IOException {
        LogWriter writer = begun();
        at(writer, ALLOCATE, 0, 0x700, 64);
        at(writer, ARGUMENT, 0, 0, UNKNOWN, 0x40, 0, 5);
        copy(writer, 0, 0x500, 0x700);

        assertThat(findings(writer)).isEmpty();
    }

    @Test
    void accessesHaveTheLineThatAskedForThem() throws IOException {
        LogWriter writer = begun();
        int allocates = writer.text("A.java:1");
        at(writer, ALLOCATE, 0, 0x700, 64, allocates);
        int copies = writer.text("A.java:2");
        at(writer, COPY, 0, ACROSS, 0x700, 0x500, 16, copies);
        at(writer, ENQUEUE, 0, 11, 2, STREAM, 0, writer.text("A.java:3"));
        at(writer, ENQUEUE, 0, 12, 1, OTHER_STREAM, 0, writer.text("A.java:4"));
        at(writer, WORK_BEGIN, STREAM, 11, 2);
        copy(writer, STREAM, 0x700, 0x500);
        at(writer, WORK_END, STREAM, 11, 2);
        launch(writer, OTHER_STREAM, 12, READ, 0x700);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains(
                        "of its allocation 1 in this test at A.java:1)",
                        "written by rank 0, host: a copy at A.java:3\n",
                        "read by rank 0, host, kernel \"k12\": argument 0 at A.java:4\n");
    }

    @Test
    void whatHappensInATaskHasTheLineThatMadeTheTask() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        at(writer, TASK, 0, halves(20, writer.text("A.java:1")), RUN, 1, halves(kernel, 0), 1);
        at(writer, ARGUMENT, 20, 0, WRITTEN, 0x500, 16, 0);
        at(writer, PUBLISH, 0, 20);
        at(writer, BLOCK_BEGIN, 21, halves(20, kernel), RUN, halves(0, 1), 0, 0);
        copy(writer, 21, 0x600, 0x700);
        at(writer, BLOCK_END, 21, 0);
        at(writer, TASK_END, 20, RUN, 0);
        int signals = writer.text("A.java:2");
        copy(writer, STREAM, 0x500, 0x610);
        copy(writer, STREAM, 0x600, 0x700);
        at(writer, SIGNAL, 0, 0x20000, 0, 1, 1, signals);
        at(writer, SIGNAL, 0, 0x20000, 0, 2, 2, signals);

        assertThat(findings(writer))
                .anySatisfy(text -> assertThat(text)
                        .contains("written by rank 0, task 1 (kernel \"k\") of graph \"g\": argument 0 at A.java:1\n"))
                .anySatisfy(
                        text -> assertThat(text)
                                .contains(
                                        "written by rank 0, task 1 (kernel \"k\") of graph \"g\" on vector core 0: a copy at A.java:1\n"))
                .anySatisfy(text -> assertThat(text).contains("set to 2 by rank 0, host at A.java:2"));
    }

    @Test
    void declaredArgumentsOfLaunchesAreAccessesOfTheirKernels() throws IOException {
        LogWriter writer = begun();
        launch(writer, STREAM, 11, WRITTEN, 0x500);
        launch(writer, STREAM, 12, READ, 0x500);
        launch(writer, OTHER_STREAM, 13, READ, 0x508);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .startsWith("race: two unordered accesses to 8 bytes at 0x508 in the memory of rank 0\n")
                .contains(
                        "written by rank 0, host, kernel \"k11\": argument 0",
                        "read by rank 0, host, kernel \"k13\": argument 0");
    }

    @Test
    void aLaunchReadsAfterTheWaitsOfItsKernelAndWritesBeforeTheSignals() throws IOException {
        LogWriter writes = begun();
        launch(writes, STREAM, 11, WRITTEN, 0x20100, SIGNAL);
        LogWriter reads = begun();
        launch(reads, STREAM, 11, READ, 0x20100, WAIT);

        assertThat(findings(writes, reads)).isEmpty();
    }

    @Test
    void aKernelMayCopyWithinItsDeclaredArguments() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("k");
        at(writer, WORK_BEGIN, STREAM, 11, 1, kernel);
        at(writer, ARGUMENT, STREAM, 0, WRITTEN, 0x500, 16, 11);
        at(writer, BLOCK_BEGIN, 110, halves(STREAM, kernel), 11, halves(0, 1), 0, 0);
        copy(writer, 110, 0x500, 0x700);
        at(writer, BLOCK_END, 110, 0);
        at(writer, WORK_END, STREAM, 11, 1, kernel, 0);

        assertThat(findings(writer)).isEmpty();
    }

    @Test
    void unwrittenMemoryIsLookedForWhereAllLaunchesDeclareTheirArguments() throws IOException {
        LogWriter writer = begun();
        at(writer, ALLOCATE, 0, 0x700, 32);
        launch(writer, STREAM, 11, WRITTEN, 0x700);
        launch(writer, STREAM, 12, READ, 0x708);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .startsWith("unwritten: 8 bytes at 0x710 in the memory of rank 0")
                .endsWith("read by rank 0, host, kernel \"k12\": argument 0");
    }

    @Test
    void twoReadsAndTwoStreamsApartAreFine() throws IOException {
        LogWriter writer = begun();
        copy(writer, STREAM, 0x500, 0x700);
        copy(writer, OTHER_STREAM, 0x600, 0x700);

        assertThat(findings(writer)).isEmpty();
    }

    @Test
    void aRankThatHasRecordedNothingOfATestHasNothingToCheck() throws IOException {
        LogWriter writer = begun();
        copy(writer, STREAM, 0x500, 0x700);
        copy(writer, OTHER_STREAM, 0x500, 0x710);
        Path busy = writer.write(folder.resolve("busy"));
        Path idle = new LogWriter().write(folder.resolve("idle"));

        assertThat(SimulatorCheck.of(List.of(idle, busy), ID, true, RankLog::open)
                        .findings())
                .singleElement()
                .asString()
                .startsWith("race");
        assertThat(SimulatorCheck.of(List.of(busy), "another", true, RankLog::open))
                .isEqualTo(SimulatorCheck.Result.of(List.of()));
    }

    @Test
    void aTestThatRunsAgainAndRecordsNothingIsNotBlamedForItsFirstRun() throws IOException {
        LogWriter writer = begun();
        copy(writer, STREAM, 0x500, 0x700);
        copy(writer, OTHER_STREAM, 0x500, 0x710);
        RankLog log = RankLog.open(writer.write(folder.resolve("log")));

        assertThat(SimulatorCheck.of(List.of(folder), ID, true, file -> log).findings())
                .hasSize(1);
        assertThat(SimulatorCheck.of(List.of(folder), ID, true, file -> log))
                .isEqualTo(SimulatorCheck.Result.of(List.of()));
    }

    @Test
    void whyATestCannotBeCheckedIsSaid() throws IOException {
        Path full = folder.resolve("full");
        begun().drop(3).write(full);
        assertThat(SimulatorCheck.of(List.of(full), ID, true, RankLog::open).notChecked())
                .isEqualTo("the log of rank 0 is full; give it more room (rankunit.sim.record-size), or let the test"
                        + " do less");
        assertThat(SimulatorCheck.of(List.of(folder.resolve("none")), ID, true, RankLog::open)
                        .notChecked())
                .isEqualTo("rank 0 has recorded nothing");
        assertThat(SimulatorCheck.of(List.of(Files.writeString(folder.resolve("bad"), "x")), ID, true, RankLog::open)
                        .notChecked())
                .contains("is not a log of events");
    }

    @Test
    void manyAccessesToTheSameBytesAreChecked() throws IOException {
        LogWriter writer = begun();
        for (int i = 0; i < 50_000; i++) {
            copy(writer, STREAM, 0x500, 0x700);
        }
        copy(writer, OTHER_STREAM, 0x700, 0x900);

        assertThat(findings(writer)).singleElement().asString().startsWith("race: ");
    }

    @Test
    void aCounterThatIsRaisedAndWaitedForManyTimesIsChecked() throws IOException {
        LogWriter raises = begun();
        LogWriter waits = begun();
        for (int i = 1; i <= 20_000; i++) {
            copy(raises, STREAM, 0x20100 + 16 * (i % 8), 0x500);
            at(raises, SIGNAL, STREAM, 0x20000, halves(1, i - 1), 1, i);
            at(waits, WAIT, STREAM, 0x20000, GE, i, i, halves(i, 0));
            copy(waits, STREAM, 0x600, 0x20100 + 16 * (i % 8));
        }

        assertThat(findings(raises, waits)).singleElement().asString().startsWith("race: ");
    }

    /** Each of them may be missed, and finding out takes passes through all events. */
    @Test
    void aTestWithManyWaitsThatMayBeMissedIsChecked() throws IOException {
        LogWriter sets = begun();
        LogWriter waits = begun();
        for (int i = 1; i <= 4_000; i++) {
            at(sets, SIGNAL, STREAM, 0x20000, halves(0, i - 1), i, i);
            at(waits, WAIT, STREAM, 0x20000, 0, i, i, halves(i, 0));
        }

        assertThat(findings(sets, waits))
                .isNotEmpty()
                .allSatisfy(text -> assertThat(text).startsWith("lost signal: "));
    }

    @Test
    void ofRacesOfTheSameTwoEachPairOfLinesIsTold() throws IOException {
        LogWriter writer = begun();
        int first = writer.text("A.java:1");
        int second = writer.text("A.java:2");
        for (int round = 0; round < 3; round++) {
            at(writer, COPY, STREAM, ACROSS, 0x500, 0x700, 16, first);
            at(writer, COPY, STREAM, ACROSS, 0x508, 0x700, 16, second);
        }
        at(writer, COPY, OTHER_STREAM, ACROSS, 0x900, 0x508, 8, writer.text("A.java:3"));

        assertThat(findings(writer))
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("A.java:1", "A.java:3"),
                        text -> assertThat(text).contains("A.java:2", "A.java:3"));
    }

    @Test
    void blocksOfAKernelMaySignalEachOtherWhateverItDeclares() throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("k");
        at(writer, WORK_BEGIN, STREAM, 11, 1, kernel);
        at(writer, ARGUMENT, STREAM, 0, WRITTEN, 0x500, 16, 11);
        at(writer, ARGUMENT, STREAM, 1, READ, 0x600, 16, 11);
        for (int block = 0; block < 2; block++) {
            at(writer, BLOCK_BEGIN, 110 + block, halves(STREAM, kernel), 11, halves(block, 2), 0, 0);
        }
        for (int block = 0; block < 2; block++) {
            at(writer, SIGNAL, 110 + block, 0x20000 + 4 * block, 0, 1, 1);
        }
        for (int block = 0; block < 2; block++) {
            at(writer, WAIT, 110 + block, 0x20000 + 4 * (1 - block), 0, 1, 1, halves(1, 0));
            at(writer, BLOCK_END, 110 + block, 0);
        }
        at(writer, WORK_END, STREAM, 11, 1, kernel, 0);

        assertThat(findings(writer)).isEmpty();
    }

    /** A task whose predicate sees a cell, which a stream of another rank has signalled after it wrote. */
    private List<String> predicate(int compare, int value) throws IOException {
        LogWriter signals = begun();
        copy(signals, STREAM, 0x20100, 0x500);
        at(signals, SIGNAL, STREAM, 0x20000, 0, 1, 1);
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        at(writer, TASK, 0, 20, RUN, 1, halves(kernel, 0), 1);
        at(writer, ARGUMENT, 20, 0, READ, 0x20100, 16, 0);
        at(writer, WAIT, 20, 0x20000, compare, value, 1, halves(1, PREDICATE));
        at(writer, BLOCK_BEGIN, 21, halves(20, kernel), RUN, halves(0, 1), 0, 0);
        at(writer, BLOCK_END, 21, 0);
        at(writer, TASK_END, 20, RUN, 0);
        return findings(signals, writer);
    }

    @Test
    void aPredicateThatHoldsSinceASignalComesAfterIt() throws IOException {
        assertThat(predicate(GE, 1)).isEmpty();
    }

    @Test
    void aPredicateThatHoldsFromTheStartOrdersNothing() throws IOException {
        assertThat(predicate(GE, 0)).singleElement().asString().startsWith("race: ");
    }

    @Test
    void aPredicateReadsItsCellAfterWhatItsTaskDependsOn() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        task(writer, 20, WRITTEN, 0x500);
        at(writer, TASK, 0, 30, RUN, 2, halves(kernel, 0), 1);
        at(writer, EDGE, 0, 20, 30, 0, 0);
        at(writer, WAIT, 30, 0x500, GE, 1, 0, halves(1, PREDICATE));
        at(writer, TASK_END, 30, RUN, 1);
        at(writer, TASK, 0, 40, RUN, 3, halves(kernel, 0), 1);
        at(writer, WAIT, 40, 0x504, GE, 1, 0, halves(1, PREDICATE));
        at(writer, TASK_END, 40, RUN, 1);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains("written by rank 0, task 20 ", "waited for atomically by rank 0, task 3 ");
    }

    /** A block that puts, and then writes the source, before or after it has waited for the put. */
    private List<String> put(boolean waits) throws IOException {
        LogWriter writer = begun();
        int kernel = writer.text("k");
        at(writer, WORK_BEGIN, STREAM, 11, 1, kernel);
        at(writer, BLOCK_BEGIN, 110, halves(STREAM, kernel), 11, halves(0, 1), 0, 0);
        at(writer, ACTOR, 111, TRANSFER, 110, 0);
        at(writer, ENQUEUE, 110, 12, 2, 111, 0, writer.text("k.cpp:7"));
        at(writer, WORK_BEGIN, 111, 12, 2);
        copy(writer, 111, 0x20100, 0x500);
        at(writer, WORK_END, 111, 12, 2);
        if (waits) {
            at(writer, STREAM_SYNC, 110, 111, 12);
        }
        copy(writer, 110, 0x500, 0x700);
        at(writer, BLOCK_END, 110, 0);
        at(writer, WORK_END, STREAM, 11, 1, kernel, 0);
        return findings(writer);
    }

    @Test
    void aPutHappensUntilTheKernelHasWaitedForIt() throws IOException {
        assertThat(put(true)).isEmpty();
    }

    @Test
    void soItIsAfterThatIfNobodyWaits() throws IOException {
        assertThat(put(false))
                .singleElement()
                .asString()
                .contains(
                        "read by rank 0, host, kernel \"k\" on vector core 0: a put or get that was never waited for at k.cpp:7\n",
                        "written by rank 0, host, kernel \"k\" on vector core 0: a copy");
    }

    /** A stream writes to a window of another rank that this rank closes, and the other one reads its own. */
    private List<String> close(boolean waits) throws IOException {
        LogWriter writer = begun();
        at(writer, ENQUEUE, 0, 11, 2, STREAM, 0, 0);
        at(writer, WORK_BEGIN, STREAM, 11, 2);
        copy(writer, STREAM, 0x20100, 0x500);
        at(writer, WORK_END, STREAM, 11, 2);
        if (waits) {
            at(writer, STREAM_SYNC, 0, STREAM, 11);
        }
        at(writer, BARRIER_BEGIN, 0, 1, 0, 1);
        at(writer, BARRIER_END, 0, 1, 0, 1);
        at(writer, WINDOWS_FREED, 0, 1, 0);
        LogWriter reader = begun();
        at(reader, BARRIER_BEGIN, 0, 1, 0, 1);
        at(reader, BARRIER_END, 0, 1, 0, 1);
        copy(reader, 0, 0x600, 0x20200);
        return findings(writer, reader);
    }

    @Test
    void windowsAreClosedAfterAStreamHasWrittenThem() throws IOException {
        assertThat(close(true)).isEmpty();
    }

    @Test
    void windowsAreNotClosedWhileAStreamWritesThem() throws IOException {
        assertThat(close(false))
                .singleElement()
                .asString()
                .contains("written by rank 0, host: a copy", "released by rank 0, host: closing the windows");
    }

    @Test
    void aTaskInARingHasTheNumberOfTheRing() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        at(writer, TASK, 0, 20, RUN, 1L << 56 | 1, halves(kernel, 0), 1);
        at(writer, BLOCK_BEGIN, 21, halves(20, kernel), RUN, halves(0, 1), 5, halves(1, 0));
        copy(writer, 21, 0x500, 0x700);
        at(writer, BLOCK_END, 21, 0);
        at(writer, TASK_END, 20, RUN, 0);
        copy(writer, STREAM, 0x700, 0x900);

        assertThat(findings(writer))
                .singleElement()
                .asString()
                .contains("read by rank 0, task 1.1 (kernel \"k\") of graph \"g\" on cube core 5: a copy");
    }

    @Test
    void whatIsLeftInANotifyThatIsDestroyedDoesNoHarmIfSomebodyHasWaitedForIt() throws IOException {
        LogWriter writer = begun();
        for (int notify = 77; notify <= 78; notify++) {
            at(writer, NOTIFY_POST, STREAM, notify, 1, 0);
            at(writer, NOTIFY_WAIT, STREAM, notify, 1);
            at(writer, NOTIFY_POST, STREAM, notify, 2, 0);
        }
        at(writer, NOTIFY_POST, STREAM, 79, 1, 0);
        at(writer, NOTIFY_GONE, 0, 77);
        at(writer, NOTIFY_GONE, 0, 79);

        assertThat(findings(writer)).singleElement().asString().startsWith("left post: ");
    }

    @Test
    void whatATaskWritesBeforeItCompletesAnotherOneHappensBeforeWhatDependsOnThat() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        int kernel = writer.text("k");
        for (int task = 20; task <= 40; task += 10) {
            at(writer, TASK, 0, task, RUN, task, halves(kernel, 0), 1);
        }
        at(writer, ARGUMENT, 30, 0, WRITTEN, 0x500, 16, 0);
        at(writer, ARGUMENT, 40, 0, READ, 0x500, 16, 0);
        at(writer, EDGE, 0, 20, 40, 0, 0);
        at(writer, BLOCK_BEGIN, 21, halves(20, kernel), RUN, halves(0, 1), 0, 0);
        at(writer, BLOCK_END, 21, 0);
        at(writer, BLOCK_BEGIN, 31, halves(30, kernel), RUN, halves(0, 1), 0, 0);
        at(writer, DEFERRED_COMPLETE, 31, 1, 20);
        at(writer, BLOCK_END, 31, 0);
        at(writer, TASK_END, 20, RUN, 0);
        at(writer, BLOCK_BEGIN, 41, halves(40, kernel), RUN, halves(0, 1), 0, 0);
        at(writer, BLOCK_END, 41, 0);
        at(writer, TASK_END, 30, RUN, 0);
        at(writer, TASK_END, 40, RUN, 0);

        assertThat(findings(writer)).isEmpty();
    }

    @Test
    void eventsThatContradictEachOtherMakeNoTestFail() throws IOException {
        LogWriter writer = begun();
        graph(writer);
        task(writer, 20, READ, 0x500);
        at(writer, PUBLISH, 21, 20);

        SimulatorCheck.Result result = result(writer);

        assertThat(result.findings()).isEmpty();
        assertThat(result.notChecked()).contains("contradict each other");
    }
}
