package org.rankunit.engine.check.program;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.device.Comparison;
import org.rankunit.engine.check.program.Operation.Events;
import org.rankunit.engine.check.program.Operation.Kind;
import org.rankunit.engine.check.program.Operation.Point;

/** The operations of all actors of a program: hosts, streams, and then the blocks of kernels. */
final class Compiled {

    /** So many kernels of two blocks can be told from each other. */
    static final int MOST_KERNELS = 4;

    /**
     * A buffer has so many parts. The first block of a kernel writes half of them and the second one the others; which, is
     * different for each kernel, so that blocks of different kernels always meet somewhere.
     */
    static final int PARTS = 1 << MOST_KERNELS;

    private static final int ALL = (1 << PARTS) - 1;

    private static final int NEVER = Integer.MAX_VALUE;

    private final Program program;
    private final List<List<Operation>> actors = new ArrayList<>();
    private int kernels;

    Compiled(Program program) {
        this.program = program;
        program.steps().forEach(steps -> actors.add(new ArrayList<>()));
        for (int actor = 0; actor < program.steps().size(); actor++) {
            List<Step> steps = program.steps().get(actor);
            for (int i = 0; i < steps.size(); i++) {
                add(actor, i, steps.get(i));
            }
        }
    }

    List<List<Operation>> actors() {
        return actors;
    }

    /** Whether all kernels can be told from each other. */
    boolean isWhole() {
        return kernels <= MOST_KERNELS;
    }

    private static int partsOf(int kernel, int block) {
        int parts = 0;
        for (int part = 0; part < PARTS; part++) {
            if ((part >> kernel % MOST_KERNELS & 1) == block) {
                parts |= 1 << part;
            }
        }
        return parts;
    }

    private static int sizeOf(Step step) {
        return step instanceof Step.Kernel || step instanceof Step.Barrier || step instanceof Step.Graph ? 2 : 1;
    }

    /** How many operations an actor has done after so many steps. */
    private Point after(int actor, int steps) {
        return new Point(
                actor,
                program.steps().get(actor).stream()
                        .limit(steps)
                        .mapToInt(Compiled::sizeOf)
                        .sum());
    }

    private void add(int actor, int index, Step step) {
        int rank = program.rankOf(actor);
        List<Point> after = new ArrayList<>();
        RunLog.Who who = new RunLog.Who(rank, program.isHost(actor) ? 0 : actor);
        if (program.isStream(actor)) {
            after.add(enqueued(rank, actor, index));
        }
        if (step instanceof Step.Kernel kernel) {
            addKernel(actor, index, kernel, after);
        } else if (step instanceof Step.Graph graph) {
            addGraph(actor, graph);
        } else if (step instanceof Step.Barrier barrier) {
            put(actor, Kind.NOTHING, after, (log, found) -> log.barrier(who, barrier.number(), true));
            put(actor, Kind.NOTHING, arrivals(barrier), (log, found) -> log.barrier(who, barrier.number(), false));
        } else if (step instanceof Step.Enqueue enqueue) {
            int work = countBefore(actor, index, enqueue);
            put(actor, Kind.NOTHING, after, (log, found) -> log.enqueue(who, enqueue.stream(), work));
        } else if (step instanceof Step.Synchronize synchronize) {
            int works = countBefore(actor, index, new Step.Enqueue(synchronize.stream()));
            after.add(after(synchronize.stream(), works));
            put(actor, Kind.NOTHING, after, (log, found) -> log.synchronize(who, synchronize.stream(), works));
        } else if (step instanceof Step.WaitEvent wait) {
            after.add(pointOf(wait.recorded()));
            put(actor, Kind.NOTHING, after, inWork(actor, index, (log, found) -> log.waitEvent(who, wait.recorded())));
        } else if (isOfThreads(step)) {
            addOfThreads(actor, who, step);
        } else {
            Operation simple = simple(who, step, after);
            actors.get(actor)
                    .add(new Operation(
                            simple.kind(),
                            simple.object(),
                            simple.parts(),
                            simple.comparison(),
                            simple.value(),
                            after,
                            inWork(actor, index, simple.events())));
        }
    }

    private static boolean isOfThreads(Step step) {
        return step instanceof Step.Start
                || step instanceof Step.Begin
                || step instanceof Step.Join
                || step instanceof Step.Release
                || step instanceof Step.Acquire;
    }

    private void addOfThreads(int actor, RunLog.Who who, Step step) {
        if (step instanceof Step.Begin begin) {
            Step.Start start = new Step.Start(begin.thread());
            put(actor, Kind.NOTHING, List.of(pointOf(start)), (log, found) -> log.acquire(who, start));
        } else if (step instanceof Step.Join join) {
            Point end = after(join.thread(), program.steps().get(join.thread()).size());
            put(actor, Kind.NOTHING, List.of(end), (log, found) -> log.join(who, join.thread()));
        } else if (step instanceof Step.Acquire acquire) {
            Step.Release released = acquire.released();
            put(actor, Kind.NOTHING, List.of(pointOf(released)), (log, found) -> log.acquire(who, released));
        } else {
            put(actor, Kind.NOTHING, List.of(), (log, found) -> log.release(who, step));
        }
    }

    /** A step on a stream is a work of its own. */
    private Events inWork(int actor, int index, Events events) {
        RunLog.Who who = new RunLog.Who(program.rankOf(actor), actor);
        return !program.isStream(actor)
                ? events
                : (log, found) -> {
                    log.begin(who, index, false);
                    events.write(log, found);
                    log.end(who, index);
                };
    }

    private void put(int actor, Kind kind, List<Point> after, Events events) {
        actors.get(actor).add(new Operation(kind, 0, ALL, Comparison.EQ, 0, after, events));
    }

    private static Operation simple(RunLog.Who who, Step step, List<Point> after) {
        if (step instanceof Step.Access access) {
            Kind kind = access.write() ? Kind.WRITE : Kind.READ;
            return new Operation(
                    kind,
                    access.buffer(),
                    ALL,
                    Comparison.EQ,
                    0,
                    after,
                    (log, found) -> log.copy(who, access.buffer(), access.write()));
        } else if (step instanceof Step.Signal signal) {
            Kind kind = signal.add() ? Kind.ADD : Kind.SET;
            return new Operation(
                    kind,
                    signal.cell(),
                    ALL,
                    Comparison.EQ,
                    signal.value(),
                    after,
                    (log, found) -> log.signal(who, signal, found));
        } else if (step instanceof Step.Wait wait) {
            return new Operation(
                    Kind.WAIT,
                    wait.cell(),
                    -1,
                    wait.comparison(),
                    wait.value(),
                    after,
                    (log, found) -> log.waited(who, wait, found));
        } else if (step instanceof Step.Post post) {
            return new Operation(
                    Kind.POST,
                    post.number(),
                    ALL,
                    Comparison.EQ,
                    0,
                    after,
                    (log, found) -> log.post(who, post.number()));
        } else if (step instanceof Step.Take take) {
            return new Operation(
                    Kind.TAKE,
                    take.number(),
                    ALL,
                    Comparison.EQ,
                    0,
                    after,
                    (log, found) -> log.take(who, take.number()));
        } else if (step instanceof Step.RecordEvent recorded) {
            return new Operation(
                    Kind.NOTHING, 0, ALL, Comparison.EQ, 0, after, (log, found) -> log.recordEvent(who, recorded));
        }
        throw new IllegalArgumentException(step + " has no single operation");
    }

    private void addKernel(int actor, int index, Step.Kernel kernel, List<Point> after) {
        RunLog.Who who = new RunLog.Who(program.rankOf(actor), actor);
        put(actor, Kind.NOTHING, after, (log, found) -> log.beginKernel(who, index, kernel));
        Point begun = new Point(actor, actors.get(actor).size());
        List<Point> ended = new ArrayList<>();
        boolean isDivided = kernel.blocks().size() > 1;
        int which = isDivided ? kernels++ : 0;
        for (int block = 0; block < kernel.blocks().size(); block++) {
            int number = actors.size();
            List<Operation> operations = new ArrayList<>();
            actors.add(operations);
            RunLog.Who self = new RunLog.Who(who.rank(), 100 + number);
            int place = block;
            operations.add(nothing(
                    List.of(begun),
                    (log, found) -> log.beginBlock(
                            self, who, index, place, kernel.blocks().size())));
            addBlock(
                    operations,
                    kernel.blocks().get(block),
                    kernel.reads(),
                    kernel.writes(),
                    isDivided ? partsOf(which, block) : ALL,
                    self);
            ended.add(new Point(number, operations.size()));
        }
        put(actor, Kind.NOTHING, ended, (log, found) -> log.end(who, index));
    }

    /** The tasks are actors whose first operation comes after those that they depend on. */
    private void addGraph(int host, Step.Graph graph) {
        RunLog.Who who = new RunLog.Who(program.rankOf(host), program.isHost(host) ? 0 : host);
        int run = actors.size();
        List<RunLog.Who> tasks = new ArrayList<>();
        for (int i = 0; i < graph.tasks().size(); i++) {
            tasks.add(new RunLog.Who(who.rank(), 1000 + 2 * (run + i)));
        }
        put(host, Kind.NOTHING, List.of(), (log, found) -> log.beginGraph(who, run, graph, tasks));
        Point begun = new Point(host, actors.get(host).size());
        List<Point> ended = new ArrayList<>();
        for (int i = 0; i < graph.tasks().size(); i++) {
            Step.Task task = graph.tasks().get(i);
            List<Point> after = new ArrayList<>(List.of(begun));
            task.after().forEach(earlier -> after.add(ended.get(earlier)));
            RunLog.Who self = tasks.get(i);
            RunLog.Who block = new RunLog.Who(self.rank(), self.actor() + 1);
            List<Operation> operations = new ArrayList<>();
            operations.add(nothing(after, (log, found) -> log.beginTask(block, self, run)));
            List<Integer> buffers = List.of(task.buffer());
            addBlock(
                    operations,
                    task.inside(),
                    task.write() ? List.of() : buffers,
                    task.write() ? buffers : List.of(),
                    ALL,
                    block);
            operations.add(nothing(List.of(), (log, found) -> log.endTask(self, run)));
            ended.add(new Point(actors.size(), operations.size()));
            actors.add(operations);
        }
        put(host, Kind.NOTHING, ended, (log, found) -> log.endGraph(who, run));
    }

    private static void addBlock(
            List<Operation> operations,
            List<Step> steps,
            List<Integer> reads,
            List<Integer> writes,
            int written,
            RunLog.Who who) {
        int read = 0;
        int write = steps.size();
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Wait) {
                read = i + 1;
            } else if (steps.get(i) instanceof Step.Signal) {
                write = Math.min(write, i);
            }
        }
        for (int i = 0; i <= steps.size(); i++) {
            if (i == read) {
                reads.forEach(buffer -> operations.add(access(Kind.READ, buffer, ALL)));
            }
            if (i == write) {
                writes.forEach(buffer -> operations.add(access(Kind.WRITE, buffer, written)));
            }
            if (i < steps.size()) {
                operations.add(simple(who, steps.get(i), List.of()));
            }
        }
        operations.add(nothing(List.of(), (log, found) -> log.endBlock(who)));
    }

    private static Operation nothing(List<Point> after, Events events) {
        return new Operation(Kind.NOTHING, 0, ALL, Comparison.EQ, 0, after, events);
    }

    private static Operation access(Kind kind, int buffer, int parts) {
        return new Operation(kind, buffer, parts, Comparison.EQ, 0, List.of(), (log, found) -> {});
    }

    private int countBefore(int actor, int index, Step.Enqueue enqueue) {
        return (int) program.steps().get(actor).stream()
                .limit(index)
                .filter(enqueue::equals)
                .count();
    }

    private Point enqueued(int host, int stream, int work) {
        int seen = 0;
        List<Step> steps = program.steps().get(host);
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Enqueue enqueue && enqueue.stream() == stream && seen++ == work) {
                return after(host, i + 1);
            }
        }
        return new Point(host, NEVER);
    }

    /** When the one that does a step has done it. */
    private Point pointOf(Step step) {
        for (int actor = 0; actor < program.steps().size(); actor++) {
            int index = program.steps().get(actor).indexOf(step);
            if (index >= 0) {
                return after(actor, index + 1);
            }
        }
        return new Point(0, NEVER);
    }

    private List<Point> arrivals(Step.Barrier barrier) {
        List<Point> arrivals = new ArrayList<>();
        for (int host = 0; host < program.ranks(); host++) {
            int index = program.steps().get(host).indexOf(barrier);
            Point before = after(host, Math.max(index, 0));
            arrivals.add(index < 0 ? new Point(host, NEVER) : new Point(host, before.done() + 1));
        }
        return arrivals;
    }
}
