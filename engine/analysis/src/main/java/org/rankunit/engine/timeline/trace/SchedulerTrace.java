package org.rankunit.engine.timeline.trace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Look;
import org.rankunit.engine.timeline.LoggedEvent.Moment;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange;

/**
 * What the scheduler of a rank's graphs did: how long each task was ready before its first block began, and how long it
 * took from the end of its last block until it had completed. Not thread-safe.
 */
final class SchedulerTrace {

    private final int rank;
    private final TestRange range;
    private final Map<Integer, Times> tasks = new LinkedHashMap<>();

    /** The task of each actor that is a block. */
    private final Map<Integer, Times> blocks = new HashMap<>();

    private final Map<Long, Long> runs = new HashMap<>();
    private final List<LoggedEvent.Edge> edges = new ArrayList<>();
    private final List<Slice> slices = new ArrayList<>();

    /** By how much the number of tasks that are ready changes at a time. */
    private final Map<Long, Long> changes = new TreeMap<>();

    /** When what happened to a task. */
    private static final class Times {

        private final LoggedEvent.Task made;
        private long ready;
        private String because = "its graph was started";
        private @Nullable Moment firstBlock;
        private long lastEnd;
        private @Nullable Moment end;
        private boolean skipped;

        Times(LoggedEvent.Task made, long begin) {
            this.made = made;
            this.ready = Math.max(begin, made.at().endNanos());
        }

        void mayRunFrom(long nanos, String cause) {
            if (nanos >= ready) {
                ready = nanos;
                because = cause;
            }
        }

        void worksUntil(long nanos) {
            lastEnd = Math.max(lastEnd, nanos);
        }
    }

    SchedulerTrace(int rank, TestRange range) {
        this.rank = rank;
        this.range = range;
    }

    /** Take an event; to be called for all of them in their order. */
    void add(LoggedEvent event) {
        Moment at = event.at();
        if (event instanceof LoggedEvent.GraphBegin graph) {
            runs.put(graph.run(), at.endNanos());
        } else if (event instanceof LoggedEvent.Task task) {
            tasks.put(task.task(), new Times(task, runs.getOrDefault(task.run(), 0L)));
        } else if (event instanceof LoggedEvent.Edge edge) {
            edges.add(edge);
        } else if (event instanceof LoggedEvent.Publish publish) {
            with(publish.task(), times -> times.mayRunFrom(at.endNanos(), "it was published"));
        } else if (event instanceof LoggedEvent.Wait wait && wait.look() == Look.TASK) {
            with(at.actor(), times -> times.mayRunFrom(at.endNanos(), "its waits were satisfied"));
        } else if (event instanceof LoggedEvent.BlockBegin block) {
            with(block.parent(), times -> {
                blocks.put(at.actor(), times);
                times.firstBlock = times.firstBlock == null ? at : times.firstBlock;
            });
        } else if (event instanceof LoggedEvent.BlockEnd) {
            Times times = blocks.remove(at.actor());
            if (times != null) {
                times.worksUntil(at.endNanos());
            }
        } else if (event instanceof LoggedEvent.DeferredComplete complete) {
            with(complete.task(), times -> times.worksUntil(at.endNanos()));
        } else if (event instanceof LoggedEvent.TaskEnd end) {
            with(at.actor(), times -> {
                times.end = at;
                times.skipped = end.skipped();
            });
        }
    }

    private void with(int actor, Consumer<Times> action) {
        Times times = tasks.get(actor);
        if (times != null) {
            action.accept(times);
        }
    }

    /**
     * Make the slices, when all events are known.
     *
     * @param blocksOf returns the first block of a task
     */
    void end(Arrows arrows, IntFunction<@Nullable Slice> blocksOf) {
        for (LoggedEvent.Edge edge : edges) {
            Times before = tasks.get(edge.before());
            Times after = tasks.get(edge.after());
            if (before != null && after != null && before.end != null) {
                after.mayRunFrom(before.end.endNanos(), "task " + TaskText.number(before.made) + " had completed");
            }
        }
        for (Times times : tasks.values()) {
            Slice dispatch = dispatch(times);
            Slice block = blocksOf.apply(times.made.task());
            if (dispatch != null && block != null) {
                arrows.add("dispatch", new Arrows.End(dispatch, dispatch.end()), new Arrows.End(block, block.begin()));
            }
            addCompletion(times);
        }
    }

    /** Returns null for a task that never ran, since nothing says whether its waits held. */
    private @Nullable Slice dispatch(Times times) {
        Moment until = times.firstBlock == null && times.skipped ? times.end : times.firstBlock;
        if (until == null) {
            return null;
        }
        long end = Math.max(times.ready, until.beginNanos());
        Slice slice = slice(times, Lane.dispatch(rank), times.skipped ? "skip " : "dispatch ", times.ready, end);
        slice.detail("ready when", times.because);
        if (end > times.ready) {
            changes.merge(times.ready, 1L, Long::sum);
            changes.merge(end, -1L, Long::sum);
        }
        return slice;
    }

    private void addCompletion(Times times) {
        if (times.end != null && times.lastEnd > 0) {
            slice(times, Lane.completion(rank), "complete ", times.lastEnd, times.end.endNanos());
        }
    }

    private Slice slice(Times times, Lane lane, String verb, long begin, long end) {
        Slice slice = new Slice(lane, "scheduler", verb + TaskText.name(range, times.made), begin).endAt(end);
        slice.detail("task", TaskText.number(times.made)).detail("run", times.made.run());
        slices.add(slice);
        return slice;
    }

    List<Slice> slices() {
        return slices;
    }

    /** How many tasks are ready and have not begun. */
    List<RankTrace.Sample> samples() {
        List<RankTrace.Sample> samples = new ArrayList<>();
        long ready = 0;
        for (Map.Entry<Long, Long> change : changes.entrySet()) {
            ready += change.getValue();
            samples.add(new RankTrace.Sample("ready tasks", "tasks", change.getKey(), ready));
        }
        return samples;
    }
}
