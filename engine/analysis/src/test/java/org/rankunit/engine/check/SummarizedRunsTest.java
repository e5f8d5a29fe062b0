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
import static org.rankunit.engine.timeline.EventKind.DEFER;
import static org.rankunit.engine.timeline.EventKind.DEFERRED_COMPLETE;
import static org.rankunit.engine.timeline.EventKind.EDGE;
import static org.rankunit.engine.timeline.EventKind.ENQUEUE;
import static org.rankunit.engine.timeline.EventKind.FREE;
import static org.rankunit.engine.timeline.EventKind.GRAPH_BEGIN;
import static org.rankunit.engine.timeline.EventKind.GRAPH_END;
import static org.rankunit.engine.timeline.EventKind.LEFT_OUT;
import static org.rankunit.engine.timeline.EventKind.MARK;
import static org.rankunit.engine.timeline.EventKind.ORCHESTRATION_BEGIN;
import static org.rankunit.engine.timeline.EventKind.ORCHESTRATION_END;
import static org.rankunit.engine.timeline.EventKind.POINTER_ACCESS;
import static org.rankunit.engine.timeline.EventKind.PUBLISH;
import static org.rankunit.engine.timeline.EventKind.RING;
import static org.rankunit.engine.timeline.EventKind.SCOPE_BEGIN;
import static org.rankunit.engine.timeline.EventKind.SCOPE_END;
import static org.rankunit.engine.timeline.EventKind.SIGNAL;
import static org.rankunit.engine.timeline.EventKind.STREAM_SYNC;
import static org.rankunit.engine.timeline.EventKind.TASK;
import static org.rankunit.engine.timeline.EventKind.TASK_END;
import static org.rankunit.engine.timeline.EventKind.UNRECORDED;
import static org.rankunit.engine.timeline.EventKind.WAIT;
import static org.rankunit.engine.timeline.EventKind.WINDOW;
import static org.rankunit.engine.timeline.EventKind.WINDOWS_FREED;
import static org.rankunit.engine.timeline.EventKind.WORK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.WORK_END;
import static org.rankunit.engine.timeline.LogWriter.TEST_BEGIN;
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rankunit.engine.check.summary.RecordSummary;
import org.rankunit.engine.timeline.EventKind;
import org.rankunit.engine.timeline.LogWriter;
import org.rankunit.engine.timeline.RankLog;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.TestRecord;

/**
 * Compares what a check finds in summaries of records with what it finds in all their events, for random runs of graphs
 * beside streams, the host and another rank.
 */
@Tag("unit")
class SummarizedRunsTest {

    private static final int RECORDS = Integer.getInteger("random.summaries", 2_000);

    private static final int COPY_WORK = 2;
    private static final int ORCHESTRATION = 2;
    private static final int TRANSFER = 3;
    private static final int SCALAR = 0;
    private static final int UNKNOWN = 4;
    private static final int IN = 1;
    private static final int ACROSS = 3;
    private static final int TENSOR = 10;
    private static final int EQ = 0;
    private static final int GE = 3;

    private static final int STREAM = 2;
    private static final long CELL = 0x1_0800;

    /** Where the windows of both ranks are mapped, and where the memory is that a test allocates. */
    private static final List<Long> BASES = List.of(0x1_0000L, 0x2_0000L, 0x8_0000L, 0x9_0000L);

    private static final String ID = "[engine:junit-jupiter]/[class:A]/[method:a()]";

    @TempDir
    Path folder;

    /** What makes a run of a graph one of which others see more than its arguments. */
    private enum Oddity {
        NONE,
        MANUAL_SCOPE,
        ORCHESTRATION_THAT_COPIES,
        NEW_MEMORY,
        LEFT_OUT,
        TASK_OF_THE_HOST,
        NO_RING,
        TASK_THAT_DOES_NOT_END,
        TASK_WITHOUT_BLOCK,
        DEFERRED_COMPLETION,
        UNKNOWN_USE,
        TELLING_BLOCK,
        BLOCK_THAT_ACCESSES,
        BLOCK_THAT_SIGNALS,
        BLOCK_THAT_WAITS,
        BLOCK_THAT_COPIES,
        BLOCK_THAT_DEFERS,
        TRANSFER,
        SKIPPED_TASK
    }

    /** Writes the record of one rank. */
    private static final class Rank {

        private final LogWriter writer = new LogWriter();
        private final int rank;
        private final Oddity oddity;

        /** Whether tasks are not recorded that use nothing new. */
        private final boolean leavesOut;

        /** Whether what happens is not recorded. */
        private boolean isSilent;

        private final Set<List<Long>> known = new HashSet<>();
        private final Set<Integer> unrecorded = new HashSet<>();
        private final Random random;
        private final int name;
        private int actors = 10;
        private int works = 100;
        private int time = 1000;
        private long heap = 0xa_0000L;
        private int signals;
        private int value;

        Rank(int rank, Oddity oddity, boolean leavesOut, Random random) {
            this.rank = rank;
            this.oddity = oddity;
            this.leavesOut = leavesOut && oddity == Oddity.NONE;
            this.random = random;
            int id = writer.text(ID);
            this.name = writer.text("g");
            for (int other = 0; other < 2; other++) {
                at(WINDOW, 0, 1, 0, halves(other, other), BASES.get(other), 0x1000);
            }
            at(MARK, 0, TEST_BEGIN, id);
            for (long address : BASES.subList(2, 4)) {
                at(ALLOCATE, 0, address, 0x1000);
            }
            copy(0, IN, BASES.get(2), 0, 0x1000);
            if (!chance(4)) {
                copy(0, IN, BASES.get(3), 0, 0x1000);
            }
        }

        boolean chance(int of) {
            return random.nextInt(of) == 0;
        }

        /** Whether something is to be odd this time. */
        private boolean is(Oddity one) {
            return oddity == one && chance(3);
        }

        void at(EventKind kind, int actor, long... words) {
            time++;
            if (!isSilent) {
                writer.event(kind, actor, time, time, words);
            }
        }

        void copy(int actor, int way, long target, long source, long bytes) {
            at(COPY, actor, way, target, source, bytes);
        }

        /** Seldom one of the other rank. Few ones where many tasks shall use the same. */
        long address() {
            if (heap > 0xa_0000L && chance(4)) {
                return heap + 8L * random.nextInt(3);
            }
            int base = chance(40) ? 1 - rank : List.of(rank, 2, 3).get(random.nextInt(3));
            return BASES.get(base) + 8L * random.nextInt(oddity == Oddity.NONE ? 3 : 6);
        }

        long bytes() {
            return 8L * (1 + random.nextInt(oddity == Oddity.NONE ? 2 : 3));
        }

        void stream() {
            copyOnStream();
            if (!chance(4)) {
                at(STREAM_SYNC, 0, STREAM, works);
            }
        }

        private void copyOnStream() {
            works++;
            at(ENQUEUE, 0, works, COPY_WORK, STREAM);
            at(WORK_BEGIN, STREAM, works, COPY_WORK);
            if (oddity == Oddity.BLOCK_THAT_SIGNALS) {
                awaitSignal(STREAM);
            }
            copy(STREAM, ACROSS, address(), address(), bytes());
            if (oddity == Oddity.BLOCK_THAT_WAITS || chance(8)) {
                signal(STREAM);
            }
            at(WORK_END, STREAM, works, COPY_WORK, 0, 0);
        }

        private void signal(int actor) {
            value = 1 + random.nextInt(2);
            at(SIGNAL, actor, CELL, halves(0, 0), value, ++signals, 0);
        }

        private void awaitSignal(int actor) {
            if (signals > 0) {
                boolean isExact = chance(2);
                at(WAIT, actor, CELL, isExact ? EQ : GE, isExact ? value : 1, signals, halves(value, 0));
            }
        }

        void barrier(int number) {
            at(BARRIER_BEGIN, 0, 1, 0, number);
            at(BARRIER_END, 0, 1, 0, number);
        }

        /** What is done while a graph runs: by a stream for which no other rank waits before the graph ends. */
        private void beside() {
            if (chance(oddity == Oddity.BLOCK_THAT_SIGNALS || oddity == Oddity.BLOCK_THAT_WAITS ? 5 : 25)) {
                copyOnStream();
            }
        }

        /** A graph, most of whose tasks do nothing but use their arguments. */
        void graph() {
            long run = ++works;
            int orchestration = ++actors;
            at(GRAPH_BEGIN, 0, run, name, name);
            at(ACTOR, orchestration, ORCHESTRATION, run, name);
            at(ORCHESTRATION_BEGIN, orchestration, run);
            int tasks = 3 + random.nextInt(oddity == Oddity.NONE ? 15 : 5);
            boolean scope = chance(2);
            if (scope) {
                at(SCOPE_BEGIN, orchestration, run, 1, name, is(Oddity.MANUAL_SCOPE) ? 1 : 0);
            }
            if (chance(3)) {
                heap(orchestration);
            }
            List<Integer> made = new ArrayList<>();
            known.clear();
            unrecorded.clear();
            for (int i = 0; i < tasks; i++) {
                made.add(task(run, orchestration, i, made));
                beside();
            }
            if (scope) {
                at(SCOPE_END, orchestration, run, 1);
            }
            if (is(Oddity.ORCHESTRATION_THAT_COPIES)) {
                copy(orchestration, IN, address(), 0, bytes());
            }
            at(ORCHESTRATION_END, orchestration, run, 0);
            if (is(Oddity.NEW_MEMORY)) {
                at(WINDOWS_FREED, 0, 1, 0);
                at(ALLOCATE, 0, BASES.get(rank), 0x1000);
            }
            if (chance(20)) {
                heap(0);
            }
            if (!unrecorded.isEmpty()) {
                at(UNRECORDED, 0, run, unrecorded.size(), 0);
            }
            at(GRAPH_END, 0, run, 0);
        }

        private int task(long run, int orchestration, int number, List<Integer> made) {
            int task = ++actors;
            List<long[]> arguments = arguments();
            isSilent = leavesOut && areKnown(arguments) && number >= 3;
            if (isSilent) {
                unrecorded.add(task);
            }
            record(run, orchestration, number, task, arguments, made);
            isSilent = false;
            return task;
        }

        private boolean areKnown(List<long[]> arguments) {
            boolean known = true;
            for (long[] argument : arguments) {
                known &= !this.known.add(Arrays.stream(argument, 1, 4).boxed().toList());
            }
            return known && !arguments.isEmpty();
        }

        private void record(
                long run, int orchestration, int number, int task, List<long[]> arguments, List<Integer> made) {
            if (is(Oddity.LEFT_OUT)) {
                at(LEFT_OUT, chance(2) ? 0 : orchestration, TENSOR, 1, task, 0);
            }
            at(TASK, is(Oddity.TASK_OF_THE_HOST) ? 0 : orchestration, task, run, number, halves(name, 0), 1);
            arguments.forEach(argument -> at(ARGUMENT, task, argument));
            if (oddity != Oddity.NO_RING) {
                at(RING, orchestration, halves(run, 0), 1, 64, 0, 1024);
            }
            if (!made.isEmpty() && chance(3)) {
                int before = made.get(random.nextInt(made.size()));
                boolean isSilentTask = isSilent;
                isSilent |= unrecorded.contains(before);
                at(EDGE, orchestration, before, task, chance(2) ? 1 : 0, 0);
                isSilent = isSilentTask;
            }
            at(PUBLISH, orchestration, task);
            if (is(Oddity.TASK_THAT_DOES_NOT_END)) {
                return;
            }
            boolean isSkipped = is(Oddity.SKIPPED_TASK);
            for (int blocks = isSkipped || is(Oddity.TASK_WITHOUT_BLOCK) ? 0 : chance(4) ? 2 : 1;
                    blocks > 0;
                    blocks--) {
                block(run, task);
            }
            if (is(Oddity.DEFERRED_COMPLETION)) {
                at(DEFERRED_COMPLETE, STREAM, 1, task);
            }
            at(TASK_END, task, run, isSkipped ? 1 : 0);
        }

        private List<long[]> arguments() {
            List<long[]> arguments = new ArrayList<>();
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                long use = chance(5) ? SCALAR : is(Oddity.UNKNOWN_USE) ? UNKNOWN : 1 + random.nextInt(3);
                boolean isAddress = use != SCALAR || chance(4);
                arguments.add(
                        new long[] {i, use, isAddress ? address() : random.nextInt(100), use == SCALAR ? 0 : bytes(), 0
                        });
            }
            return arguments;
        }

        /** Memory of the rank that has just been allocated, of which others know nothing. */
        private void heap(int actor) {
            heap += 0x1000;
            at(ALLOCATE, actor, heap, 0x1000);
        }

        private void block(long run, int task) {
            int block = ++actors;
            at(BLOCK_BEGIN, block, halves(task, name), run, halves(0, 1), halves(0, is(Oddity.TELLING_BLOCK) ? 1 : 0));
            if (is(Oddity.BLOCK_THAT_ACCESSES)) {
                at(POINTER_ACCESS, block, address(), 8, chance(2) ? 1 : 0, 0, 0);
            } else if (is(Oddity.BLOCK_THAT_SIGNALS)) {
                signal(block);
            } else if (is(Oddity.BLOCK_THAT_WAITS)) {
                awaitSignal(block);
            } else if (is(Oddity.BLOCK_THAT_COPIES)) {
                copy(block, ACROSS, address(), address(), bytes());
            } else if (is(Oddity.BLOCK_THAT_DEFERS)) {
                at(DEFER, block, 1, task);
            } else if (is(Oddity.TRANSFER)) {
                int transfer = ++actors;
                at(ACTOR, transfer, TRANSFER, block, 0);
                at(ENQUEUE, block, ++works, COPY_WORK, transfer);
                at(WORK_BEGIN, transfer, works, COPY_WORK);
                copy(transfer, ACROSS, address(), address(), bytes());
                at(WORK_END, transfer, works, COPY_WORK, 0, 0);
            }
            at(BLOCK_END, block, 0);
        }
    }

    private static List<Rank> ranks(long seed, boolean leavesOut) {
        Random random = new Random(seed);
        Oddity oddity = random.nextInt(3) == 0 ? Oddity.NONE : Oddity.values()[random.nextInt(Oddity.values().length)];
        List<Rank> ranks = List.of(new Rank(0, oddity, leavesOut, random), new Rank(1, oddity, leavesOut, random));
        ranks.forEach(rank -> rank.barrier(1));
        for (Rank rank : ranks) {
            for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
                if (random.nextInt(4) == 0) {
                    rank.stream();
                } else {
                    rank.graph();
                }
            }
            if (random.nextInt(2) == 0) {
                rank.barrier(2);
            }
            if (random.nextInt(3) == 0) {
                rank.copy(0, IN, rank.address(), 0, rank.bytes());
            }
        }
        return ranks;
    }

    private List<TestRecord> records(long seed, boolean leavesOut) throws IOException {
        List<TestRecord> records = new ArrayList<>();
        for (Rank rank : ranks(seed, leavesOut)) {
            Path log = rank.writer.write(folder.resolve("log" + records.size()));
            records.add(RankLog.open(log).take(ID).orElseThrow());
        }
        return records;
    }

    private static String judge(List<TestRange> ranges) {
        try {
            SimulatorCheck.Result result = SimulatorCheck.evaluate(ranges, true);
            return !result.notChecked().isEmpty()
                    ? "not checked"
                    : result.findings().isEmpty() ? "right" : "wrong";
        } catch (IllegalStateException e) {
            return "contradictory";
        }
    }

    private static List<RecordSummary> summaries(List<TestRecord> records) {
        List<RecordSummary> summaries = records.stream()
                .map(record -> RecordSummary.of(record, 0, Long.MAX_VALUE))
                .toList();
        assertThat(summaries).allSatisfy(summary -> assertThat(summary.whyNot()).isEmpty());
        return summaries;
    }

    @Test
    void aSummaryIsWrongExactlyIfTheRecordIs() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        List<String> differences = new ArrayList<>();
        for (long seed = 1; seed <= RECORDS; seed++) {
            List<TestRecord> records = records(seed, false);
            List<RecordSummary> summaries = summaries(records);
            String whole = judge(records.stream().map(TestRecord::range).toList());
            String summarized =
                    judge(summaries.stream().map(RecordSummary::range).toList());
            List<TestRecord> incomplete = records(seed, true);
            String leftOut = judge(
                    summaries(incomplete).stream().map(RecordSummary::range).toList());
            if (!whole.equals(summarized) || !whole.equals(leftOut)) {
                differences.add("seed " + seed + ": " + whole + " as a whole, " + summarized + " in its summary, "
                        + leftOut + " if repeated tasks are not recorded");
            }
            if (incomplete.stream().mapToLong(TestRecord::count).sum()
                    < records.stream().mapToLong(TestRecord::count).sum()) {
                counts.merge(leftOut + " with tasks that are not recorded", 1, Integer::sum);
            }
            counts.merge(
                    whole + (summaries.stream().anyMatch(RecordSummary::isShortened) ? " in short" : ""),
                    1,
                    Integer::sum);
        }

        System.out.println("records: " + counts);
        assertThat(differences).isEmpty();
        assertThat(counts.getOrDefault("right in short", 0)).isGreaterThan(RECORDS / 20);
        assertThat(counts.getOrDefault("wrong in short", 0)).isGreaterThan(RECORDS / 10);
        assertThat(counts.getOrDefault("right with tasks that are not recorded", 0))
                .isGreaterThan(RECORDS / 200);
        assertThat(counts.getOrDefault("wrong with tasks that are not recorded", 0))
                .isGreaterThan(RECORDS / 100);
    }

    /** A thousand tasks, beside which a stream copies. */
    private TestRecord thousandTasks(boolean race) throws IOException {
        return thousandTasks(race, rank -> {}, 0);
    }

    private TestRecord thousandTasks(boolean race, Consumer<Rank> meanwhile, int failed) throws IOException {
        Rank rank = new Rank(0, Oddity.NONE, false, new Random(1));
        if (race) {
            rank.at(ENQUEUE, 0, 7, COPY_WORK, STREAM);
            rank.at(WORK_BEGIN, STREAM, 7, COPY_WORK);
            rank.copy(STREAM, IN, BASES.get(2), 0, 8);
            rank.at(WORK_END, STREAM, 7, COPY_WORK, 0, 0);
        }
        rank.at(GRAPH_BEGIN, 0, 8, rank.name, rank.name);
        rank.at(ACTOR, 9, ORCHESTRATION, 8, rank.name);
        rank.at(ORCHESTRATION_BEGIN, 9, 8);
        for (int task = 10; task < 2_010; task += 2) {
            rank.at(TASK, 9, task, 8, task, halves(rank.name, 0), 1);
            rank.at(ARGUMENT, task, 0, 3, BASES.get(2), 8);
            rank.at(RING, 9, halves(8, 0), 1, 64, 0, 1024);
            rank.at(PUBLISH, 9, task);
            rank.at(BLOCK_BEGIN, task + 1, halves(task, rank.name), 8, halves(0, 1));
            rank.at(BLOCK_END, task + 1, 0);
            rank.at(TASK_END, task, 8, 0);
        }
        meanwhile.accept(rank);
        rank.at(ORCHESTRATION_END, 9, 8, 0);
        rank.at(GRAPH_END, 0, 8, failed);
        return RankLog.open(rank.writer.write(folder.resolve("log"))).take(ID).orElseThrow();
    }

    @Test
    void whatIsFoundHasTheWordsOfItsTaskIfAllEventsCanBeHeldAndElseOfAll() throws IOException {
        List<TestRecord> records = List.of(thousandTasks(true));

        assertThat(SimulatorCheck.check(records, true, 10_000).findings())
                .first()
                .asString()
                .contains("task 10 (");
        assertThat(SimulatorCheck.check(records, true, 1_000).findings())
                .singleElement()
                .asString()
                .contains("written by rank 0, task 10 \"all 1000 tasks\" (kernel \"any\") of graph \"g\": argument 0");
    }

    private String whyNot(Consumer<Rank> meanwhile, int failed, long mostEvents) throws IOException {
        SimulatorCheck.Result result =
                SimulatorCheck.check(List.of(thousandTasks(true, meanwhile, failed)), true, mostEvents);
        assertThat(result.findings()).isEmpty();
        return result.notChecked();
    }

    @Test
    void aRunOfWhichTasksAreMissingIsOnlyCheckedIfTheyAddNothing() throws IOException {
        assertThat(whyNot(rank -> rank.at(UNRECORDED, 0, 8, 5, 1), 0, 100_000))
                .contains("graph \"g\" was not recorded completely", "one of its tasks waits, signals or copies");
        assertThat(whyNot(rank -> rank.at(UNRECORDED, 0, 8, 5, 0), 1, 100_000)).contains("it failed");
        Consumer<Rank> freed = rank -> {
            rank.at(FREE, 0, BASES.get(3));
            rank.at(UNRECORDED, 0, 8, 5, 0);
        };
        assertThat(whyNot(freed, 0, 100_000)).contains("memory was freed while it ran");
        assertThat(whyNot(rank -> rank.at(UNRECORDED, 0, 8, 5, 0), 0, 0)).contains("(-Xmx)");
        assertThat(whyNot(rank -> rank.at(UNRECORDED, 0, 7, 5, 0), 0, 100_000))
                .contains("a graph that started before the test");
    }

    @Test
    void aRunOfManyTasksThatHasNotEndedMayHaveMore() throws IOException {
        Rank rank = new Rank(0, Oddity.NONE, false, new Random(1));
        rank.at(GRAPH_BEGIN, 0, 8, rank.name, rank.name);
        rank.at(ACTOR, 9, ORCHESTRATION, 8, rank.name);
        rank.at(ORCHESTRATION_BEGIN, 9, 8);
        rank.at(RING, 9, halves(8, 0), 1, 64, 0, 1024);
        for (int task = 10; task < 10 + 65_536; task++) {
            rank.at(TASK, 9, task, 8, task, halves(rank.name, 0), 1);
        }
        TestRecord record =
                RankLog.open(rank.writer.write(folder.resolve("log"))).take(ID).orElseThrow();

        assertThat(SimulatorCheck.check(List.of(record), true, 1_000_000).notChecked())
                .contains("it was still running when the test ended");
    }

    @Test
    void aSummaryThatIsStillTooLargeIsNotChecked() throws IOException {
        List<TestRecord> records = List.of(thousandTasks(false));

        assertThat(SimulatorCheck.check(records, true, 100).findings()).isEmpty();
        assertThat(SimulatorCheck.check(records, true, 100).notChecked()).isEmpty();
        assertThat(SimulatorCheck.check(records, true, 10).notChecked())
                .contains("to check only 10; give it more (-Xmx)");
    }
}
