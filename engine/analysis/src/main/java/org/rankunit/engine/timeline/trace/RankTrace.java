package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Moment;
import org.rankunit.engine.timeline.LoggedEvent.WorkKind;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange;
import org.rankunit.engine.timeline.trace.Arrows.End;

/** Makes the slices of one rank from what it has recorded during a test. Not thread-safe. */
final class RankTrace {

    /** The value of something at a time. */
    record Sample(String name, String unit, long nanos, long value) {}

    private static final int HOST = 0;
    private static final int MAX_ARGUMENTS = 64;

    private static final Map<WorkKind, String> NAMES = Map.of(
            WorkKind.LAUNCH, "launch",
            WorkKind.COPY, "copy",
            WorkKind.EVENT_RECORD, "record an event",
            WorkKind.EVENT_WAIT, "wait for an event",
            WorkKind.NOTIFY_POST, "post a notify",
            WorkKind.NOTIFY_WAIT, "wait for a notify",
            WorkKind.SIGNAL, "signal",
            WorkKind.WAIT, "wait for cells",
            WorkKind.GRAPH, "run a graph");

    private static final Set<WorkKind> WAITS = Set.of(WorkKind.EVENT_WAIT, WorkKind.NOTIFY_WAIT, WorkKind.WAIT);

    private final int rank;
    private final TestRange range;
    private final Arrows arrows;
    private final List<Slice> slices = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();

    /** What has begun and not ended, by what identifies it. */
    private final Map<Object, Slice> open = new HashMap<>();

    /** The slice that an actor is in: the work of a stream, or a block. */
    private final Map<Integer, Slice> current = new HashMap<>();

    private final Map<Integer, LoggedEvent.Task> tasks = new HashMap<>();
    private final Map<Integer, List<LoggedEvent.Argument>> arguments = new HashMap<>();
    private final Map<Integer, List<LoggedEvent.Wait>> waitsOfTasks = new HashMap<>();
    private final Map<Integer, Slice> firstBlocks = new HashMap<>();
    private final Map<Integer, Slice> lastBlocks = new HashMap<>();

    private record Run(long number) {}

    private record Function(long run) {}

    private record Work(long number) {}

    private record Block(int actor) {}

    private record Barrier(long communicator, long domain, long number) {}

    RankTrace(int rank, TestRange range, String title, Arrows arrows) {
        this.rank = rank;
        this.range = range;
        this.arrows = arrows;
        SchedulerTrace scheduler = new SchedulerTrace(rank, range);
        List<LoggedEvent> events = range.events();
        long end = 0;
        for (LoggedEvent event : events) {
            end = Math.max(end, event.at().endNanos());
            add(event, title);
            scheduler.add(event);
        }
        long last = end;
        slices.forEach(slice -> slice.reach(last));
        events.forEach(this::addEdge);
        scheduler.end(arrows, firstBlocks::get);
        slices.addAll(scheduler.slices());
        samples.addAll(scheduler.samples());
    }

    List<Slice> slices() {
        return slices;
    }

    List<Sample> samples() {
        return samples;
    }

    private void add(LoggedEvent event, String title) {
        addHost(event, title);
        addWork(event);
        addBlocks(event);
        addGraphs(event);
        addConnections(event);
    }

    /** What the host does by itself. */
    private void addHost(LoggedEvent event, String title) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.Mark mark && mark.begin()) {
            begin("test", Lane.host(rank), "test", title, at);
        } else if (event instanceof LoggedEvent.Mark) {
            end("test", at);
        } else if (event instanceof LoggedEvent.BarrierBegin barrier) {
            String of = barrier.domain() == 0 ? "" : " of domain " + (barrier.domain() - 1);
            begin(
                    new Barrier(barrier.communicator(), barrier.domain(), barrier.number()),
                    Lane.host(rank),
                    "barrier",
                    "barrier #" + barrier.number() + of,
                    at);
        } else if (event instanceof LoggedEvent.BarrierEnd barrier) {
            end(new Barrier(barrier.communicator(), barrier.domain(), barrier.number()), at);
        } else if (event instanceof LoggedEvent.EventWait && at.actor() == HOST && at.endNanos() > at.beginNanos()) {
            slices.add(
                    new Slice(Lane.host(rank), Slice.WAIT, "wait for an event", at.beginNanos()).endAt(at.endNanos()));
        }
    }

    /** The work of streams, and launches by the host. */
    private void addWork(LoggedEvent event) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.WorkBegin work) {
            String kernel = range.text(work.text());
            String name = NAMES.get(work.kind()) + (kernel.isEmpty() ? "" : " " + kernel);
            String category = WAITS.contains(work.kind()) ? Slice.WAIT : "work";
            Slice slice = begin(new Work(work.work()), laneOf(at.actor()), category, name, at);
            slice.detail("work", work.work());
            if (at.actor() != HOST) {
                current.put(at.actor(), slice);
            }
        } else if (event instanceof LoggedEvent.WorkEnd work) {
            Slice slice = end(new Work(work.work()), at);
            if (slice != null && work.failed()) {
                slice.detail("failed", true);
            }
            current.remove(at.actor());
        } else if (event instanceof LoggedEvent.Copy copy) {
            addCopy(copy);
        }
    }

    private Lane laneOf(int actor) {
        LoggedEvent.Actor known = actor == HOST ? null : range.actor(actor);
        if (known != null && known.kind() == LoggedEvent.ActorKind.TRANSFER) {
            Slice block = current.get((int) known.number());
            return block == null ? Lane.host(rank) : block.lane();
        }
        return known != null && known.stream() ? Lane.stream(rank, known.number()) : Lane.host(rank);
    }

    private void addCopy(LoggedEvent.Copy copy) {
        Moment at = copy.at();
        String verb = switch (copy.way()) {
            case ZERO -> "zero";
            case IN -> "copy in";
            case OUT -> "copy out";
            case ACROSS -> "copy";
            case ADD -> "add";
        };
        String name = verb + " " + copy.bytes() + " bytes";
        Slice around = current.get(at.actor());
        Slice slice;
        if (around != null && around.category().equals("work")) {
            // The work of a stream is nothing but this copy.
            around.rename(name);
            slice = around;
        } else {
            Lane lane = around == null ? Lane.host(rank) : around.lane();
            slice = new Slice(lane, "copy", name, at.beginNanos()).endAt(at.endNanos());
            slices.add(slice);
        }
        slice.detail("target", hex(copy.target()));
        if (copy.way() != LoggedEvent.Way.ZERO) {
            slice.detail("source", hex(copy.source()));
        }
    }

    private void addBlocks(LoggedEvent event) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.BlockBegin block) {
            LoggedEvent.Task task = tasks.get(block.parent());
            String kernel = range.text(block.kernel());
            Slice slice = begin(
                    new Block(at.actor()),
                    Lane.core(rank, block.cube(), block.core()),
                    task == null ? "block" : "task",
                    task == null ? kernel : TaskText.name(range, task),
                    at);
            slice.detail("kernel", kernel).detail("block", block.block() + " of " + block.blocks());
            current.put(at.actor(), slice);
            if (task == null) {
                slice.detail("work", block.work());
            } else {
                addTask(slice, task);
            }
        } else if (event instanceof LoggedEvent.BlockEnd block) {
            Slice slice = end(new Block(at.actor()), at);
            if (slice != null && block.failed()) {
                slice.detail("failed", true);
            }
            current.remove(at.actor());
        }
    }

    private void addTask(Slice slice, LoggedEvent.Task task) {
        slice.detail("task", task.id()).detail("run", task.run());
        for (LoggedEvent.Argument argument : arguments.getOrDefault(task.task(), List.of())) {
            boolean scalar = argument.use() == LoggedEvent.Use.SCALAR;
            slice.detail(
                    "argument " + argument.index(),
                    scalar
                            ? argument.value()
                            : argument.use().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + argument.bytes()
                                    + " bytes at " + hex(argument.value()));
        }
        firstBlocks.putIfAbsent(task.task(), slice);
        lastBlocks.put(task.task(), slice);
        List<LoggedEvent.Wait> waits = waitsOfTasks.remove(task.task());
        if (waits != null) {
            waits.forEach(wait -> arrows.sight(
                    rank, range.placeOf(rank, wait.cell(), wait.at()), wait.order(), new End(slice, slice.begin())));
        }
    }

    private void addGraphs(LoggedEvent event) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.GraphBegin graph) {
            begin(new Run(graph.run()), Lane.host(rank), "graph", "run graph " + range.text(graph.text()), at)
                    .detail("run", graph.run())
                    .detail("what", range.text(graph.what()));
        } else if (event instanceof LoggedEvent.GraphEnd graph) {
            end(new Run(graph.run()), at);
        } else if (event instanceof LoggedEvent.OrchestrationBegin function) {
            LoggedEvent.Actor actor = range.actor(at.actor());
            String name = actor == null ? "orchestration" : range.text(actor.text());
            begin(new Function(function.run()), Lane.orchestration(rank), "orchestration", name, at)
                    .detail("run", function.run());
        } else if (event instanceof LoggedEvent.OrchestrationEnd function) {
            end(new Function(function.run()), at);
        } else if (event instanceof LoggedEvent.Task task) {
            tasks.put(task.task(), task);
        } else if (event instanceof LoggedEvent.Argument argument && argument.work() == 0) {
            List<LoggedEvent.Argument> all = arguments.computeIfAbsent(at.actor(), actor -> new ArrayList<>());
            if (all.size() < MAX_ARGUMENTS) {
                all.add(argument);
            }
        } else if (event instanceof LoggedEvent.Ring ring) {
            String name = "ring " + ring.ring();
            samples.add(new Sample(name + " slots", "in use", at.endNanos(), ring.slotsInUse()));
            samples.add(new Sample(name + " heap", "bytes in use", at.endNanos(), ring.heapInUse()));
        }
    }

    private void addConnections(LoggedEvent event) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.Wait wait && wait.look() == LoggedEvent.Look.TASK) {
            waitsOfTasks.computeIfAbsent(at.actor(), actor -> new ArrayList<>()).add(wait);
            return;
        }
        Slice slice = current.get(at.actor());
        if (slice == null) {
            return;
        }
        if (event instanceof LoggedEvent.NotifyPost post) {
            arrows.post(post.token(), post.sequence(), new End(slice, at.beginNanos()));
        } else if (event instanceof LoggedEvent.NotifyWait wait) {
            arrows.take(wait.token(), wait.sequence(), new End(slice, at.endNanos()));
        } else if (event instanceof LoggedEvent.Signal signal) {
            arrows.signal(range.placeOf(rank, signal.cell(), at), signal.order(), new End(slice, at.beginNanos()));
        } else if (event instanceof LoggedEvent.Wait wait) {
            arrows.sight(
                    rank, range.placeOf(rank, wait.cell(), wait.at()), wait.order(), new End(slice, at.endNanos()));
        }
    }

    /** Called when the blocks of all tasks are known. */
    private void addEdge(LoggedEvent event) {
        if (event instanceof LoggedEvent.Edge edge) {
            Slice from = lastBlocks.get(edge.before());
            Slice to = firstBlocks.get(edge.after());
            if (from != null && to != null) {
                arrows.add("dependency", new End(from, from.end()), new End(to, to.begin()));
            }
        }
    }

    private Slice begin(Object key, Lane lane, String category, String name, Moment at) {
        Slice slice = new Slice(lane, category, name, at.beginNanos());
        slices.add(slice);
        open.put(key, slice);
        return slice;
    }

    /** Returns null if it began before the test. */
    private @Nullable Slice end(Object key, Moment at) {
        Slice slice = open.remove(key);
        return slice == null ? null : slice.endAt(at.endNanos());
    }

    private static String hex(long address) {
        return "0x" + Long.toHexString(address);
    }
}
