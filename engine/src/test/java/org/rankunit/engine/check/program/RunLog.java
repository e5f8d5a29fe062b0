package org.rankunit.engine.check.program;

import static org.rankunit.engine.timeline.EventKind.ACQUIRE;
import static org.rankunit.engine.timeline.EventKind.ACTOR;
import static org.rankunit.engine.timeline.EventKind.ARGUMENT;
import static org.rankunit.engine.timeline.EventKind.BARRIER_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BARRIER_END;
import static org.rankunit.engine.timeline.EventKind.BLOCK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.BLOCK_END;
import static org.rankunit.engine.timeline.EventKind.COPY;
import static org.rankunit.engine.timeline.EventKind.EDGE;
import static org.rankunit.engine.timeline.EventKind.ENQUEUE;
import static org.rankunit.engine.timeline.EventKind.EVENT_RECORD;
import static org.rankunit.engine.timeline.EventKind.EVENT_WAIT;
import static org.rankunit.engine.timeline.EventKind.GRAPH_BEGIN;
import static org.rankunit.engine.timeline.EventKind.GRAPH_END;
import static org.rankunit.engine.timeline.EventKind.MARK;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_POST;
import static org.rankunit.engine.timeline.EventKind.NOTIFY_WAIT;
import static org.rankunit.engine.timeline.EventKind.SIGNAL;
import static org.rankunit.engine.timeline.EventKind.STREAM_SYNC;
import static org.rankunit.engine.timeline.EventKind.TASK;
import static org.rankunit.engine.timeline.EventKind.TASK_END;
import static org.rankunit.engine.timeline.EventKind.WAIT;
import static org.rankunit.engine.timeline.EventKind.WINDOW;
import static org.rankunit.engine.timeline.EventKind.WORK_BEGIN;
import static org.rankunit.engine.timeline.EventKind.WORK_END;
import static org.rankunit.engine.timeline.LogWriter.halves;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.rankunit.engine.timeline.EventKind;
import org.rankunit.engine.timeline.LogWriter;

/** The logs of one run of a program, as the simulator would have written them. */
public final class RunLog {

    private static final int STREAM = 1;
    private static final int THREAD = 4;
    private static final int IN = 1;
    private static final int OUT = 2;
    private static final int LAUNCH = 1;
    private static final int OTHER_WORK = 2;
    private static final int READ = 1;
    private static final int WRITTEN = 2;
    private static final int BYTES = 64;
    private static final int BUFFERS_FROM = 0x800;
    private static final int KERNEL = 0;

    private final String uniqueId;
    private final Program program;
    private final List<LogWriter> writers = new ArrayList<>();
    private final Map<Integer, Long> orders = new HashMap<>();
    private final Map<Integer, Long> sequences = new HashMap<>();
    private final Map<Integer, Boolean> posted = new HashMap<>();
    private final Map<Step.RecordEvent, Integer> points = new HashMap<>();
    private final Map<Step, Released> released = new HashMap<>();
    private int time = 1000;

    /** An actor of a rank, as logs number them. */
    record Who(int rank, int actor) {}

    private record Released(Who who, int time) {}

    private RunLog(Program program, String uniqueId) {
        this.program = program;
        this.uniqueId = uniqueId;
        for (int rank = 0; rank < program.ranks(); rank++) {
            LogWriter writer = new LogWriter();
            writers.add(writer);
            int id = writer.text(uniqueId);
            Who host = new Who(rank, 0);
            for (int of = 0; of < program.ranks(); of++) {
                at(host, WINDOW, 1, 0, halves(of, of), base(rank) + of * 0x1000L, 0x1000);
            }
            at(host, MARK, LogWriter.TEST_BEGIN, id);
            for (int actor = program.ranks(); actor < program.steps().size(); actor++) {
                if (program.rankOf(actor) == rank) {
                    at(new Who(rank, actor), ACTOR, program.isStream(actor) ? STREAM : THREAD, actor, 0);
                }
            }
        }
    }

    /** Run a program in some order. Empty if it does not end. */
    public static Optional<RunLog> of(Program program, String uniqueId, Random random) {
        RunLog log = new RunLog(program, uniqueId);
        Machine machine = new Machine(new Compiled(program).actors());
        while (!machine.isDone()) {
            List<Integer> ready = machine.ready();
            if (ready.isEmpty()) {
                return Optional.empty();
            }
            int actor = ready.get(random.nextInt(ready.size()));
            Operation operation = machine.next(actor);
            operation.events().write(log, machine.step(actor));
        }
        return Optional.of(log);
    }

    /** Write a file for each rank. */
    public List<Path> write(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (int rank = 0; rank < writers.size(); rank++) {
            files.add(writers.get(rank).write(folder.resolve("log" + rank)));
        }
        return files;
    }

    private static long base(int rank) {
        return 0x100_0000L * (rank + 1);
    }

    private void at(Who who, EventKind kind, long... words) {
        time++;
        writers.get(who.rank()).event(kind, who.actor(), time, time, words);
    }

    private long cell(Who who, int cell) {
        return base(who.rank()) + cell % program.ranks() * 0x1000L + cell * 4L;
    }

    private long buffer(Who who, int buffer) {
        return base(who.rank()) + buffer % program.ranks() * 0x1000L + BUFFERS_FROM + (long) buffer * BYTES;
    }

    private static long work(Who stream, int index) {
        return stream.actor() * 1000L + index;
    }

    void barrier(Who who, int number, boolean begin) {
        at(who, begin ? BARRIER_BEGIN : BARRIER_END, 1, 0, number);
    }

    void enqueue(Who who, int stream, int index) {
        at(who, ENQUEUE, work(new Who(who.rank(), stream), index), OTHER_WORK, stream, 0, 0);
    }

    void synchronize(Who who, int stream, int works) {
        at(who, STREAM_SYNC, stream, work(new Who(who.rank(), stream), works - 1));
    }

    void begin(Who stream, int index, boolean launch) {
        at(stream, WORK_BEGIN, work(stream, index), launch ? LAUNCH : OTHER_WORK, KERNEL, 0);
    }

    void end(Who stream, int index) {
        at(stream, WORK_END, work(stream, index), OTHER_WORK, KERNEL, 0);
    }

    void copy(Who who, int buffer, boolean write) {
        long address = buffer(who, buffer);
        at(who, COPY, write ? IN : OUT, write ? address : 0, write ? 0 : address, BYTES, 0);
    }

    void recordEvent(Who who, Step.RecordEvent recorded) {
        int point = points.size() + 1;
        points.put(recorded, point);
        at(who, EVENT_RECORD, point);
    }

    void waitEvent(Who who, Step.RecordEvent recorded) {
        at(who, EVENT_WAIT, Objects.requireNonNull(points.get(recorded)));
    }

    void release(Who who, Step step) {
        released.put(step, new Released(who, time));
    }

    void acquire(Who who, Step step) {
        Released by = Objects.requireNonNull(released.get(step));
        at(who, ACQUIRE, by.who().actor(), by.time());
    }

    void join(Who who, int thread) {
        at(who, ACQUIRE, thread, time);
    }

    void signal(Who who, Step.Signal signal, int found) {
        long order = orders.merge(signal.cell(), 1L, Long::sum);
        at(who, SIGNAL, cell(who, signal.cell()), halves(signal.add() ? 1 : 0, found), signal.value(), order, 0);
    }

    void waited(Who who, Step.Wait wait, int found) {
        long order = orders.getOrDefault(wait.cell(), 0L);
        at(
                who,
                WAIT,
                cell(who, wait.cell()),
                wait.comparison().number(),
                wait.value() & 0xffff_ffffL,
                order,
                halves(found, 0));
    }

    void post(Who who, int notify) {
        long sequence = sequences.merge(notify, 1L, Long::sum);
        boolean replaces = posted.getOrDefault(notify, false);
        posted.put(notify, true);
        at(who, NOTIFY_POST, notify + 1, sequence, replaces ? sequence - 1 : 0);
    }

    void take(Who who, int notify) {
        posted.put(notify, false);
        at(who, NOTIFY_WAIT, notify + 1, Objects.requireNonNull(sequences.get(notify)));
    }

    void beginKernel(Who stream, int index, Step.Kernel kernel) {
        begin(stream, index, true);
        int number = 0;
        for (int buffer : kernel.reads()) {
            at(stream, ARGUMENT, number++, READ, buffer(stream, buffer), BYTES, work(stream, index));
        }
        for (int buffer : kernel.writes()) {
            at(stream, ARGUMENT, number++, WRITTEN, buffer(stream, buffer), BYTES, work(stream, index));
        }
    }

    void beginBlock(Who block, Who stream, int index, int number, int blocks) {
        at(block, BLOCK_BEGIN, halves(stream.actor(), KERNEL), work(stream, index), halves(number, blocks), 0, 0);
    }

    void beginGraph(Who host, int run, Step.Graph graph, List<Who> tasks) {
        at(host, GRAPH_BEGIN, run, 0, 0);
        for (int i = 0; i < tasks.size(); i++) {
            Step.Task task = graph.tasks().get(i);
            Who self = tasks.get(i);
            at(host, TASK, self.actor(), run, i, halves(KERNEL, 0), halves(1, 0));
            at(self, ARGUMENT, 0, task.write() ? WRITTEN : READ, buffer(host, task.buffer()), BYTES, 0);
            for (int earlier : task.after()) {
                at(host, EDGE, tasks.get(earlier).actor(), self.actor(), 0, 0);
            }
        }
    }

    void beginTask(Who block, Who task, int run) {
        at(block, BLOCK_BEGIN, halves(task.actor(), KERNEL), run, halves(0, 1), 0, 0);
    }

    void endTask(Who task, int run) {
        at(task, TASK_END, run, 0);
    }

    void endGraph(Who host, int run) {
        at(host, GRAPH_END, run, 0);
    }

    void endBlock(Who block) {
        at(block, BLOCK_END, 0);
    }

    @Override
    public String toString() {
        return uniqueId + ": " + program;
    }
}
