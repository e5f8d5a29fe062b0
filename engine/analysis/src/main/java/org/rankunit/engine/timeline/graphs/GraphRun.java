package org.rankunit.engine.timeline.graphs;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TaskText;
import org.rankunit.engine.timeline.TestRange;

/** One run of a graph on a rank, as its log has it. Filled by one thread, then only read. */
final class GraphRun {

    private static final List<String> CORES = List.of("vector", "cube", "mixed");

    private final int rank;
    private final TestRange range;
    private final LoggedEvent.GraphBegin begin;
    private final Map<Integer, Task> tasks = new LinkedHashMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private OptionalLong nanos = OptionalLong.empty();

    /** One task. */
    static final class Task {

        final LoggedEvent.Task made;
        final List<LoggedEvent.Argument> arguments = new ArrayList<>();
        final List<LoggedEvent.Wait> waits = new ArrayList<>();
        final List<LoggedEvent.MemoryCopy> copies = new ArrayList<>();
        boolean skipped;

        Task(LoggedEvent.Task made) {
            this.made = made;
        }

        String number() {
            return TaskText.number(made);
        }

        String cores() {
            return CORES.get(made.cores());
        }
    }

    /** One task depends on another. */
    record Edge(Task before, Task after, boolean derived) {}

    private GraphRun(int rank, TestRange range, LoggedEvent.GraphBegin begin) {
        this.rank = rank;
        this.range = range;
        this.begin = begin;
    }

    /** Find the runs of all ranks, in the order in which each rank began them. */
    static List<GraphRun> in(List<TestRange> ranges) {
        List<GraphRun> all = new ArrayList<>();
        for (int rank = 0; rank < ranges.size(); rank++) {
            Map<Long, GraphRun> runs = new LinkedHashMap<>();
            Map<Integer, GraphRun> runOfTask = new LinkedHashMap<>();
            for (LoggedEvent event : ranges.get(rank).events()) {
                if (event instanceof LoggedEvent.GraphBegin begin) {
                    runs.put(begin.run(), new GraphRun(rank, ranges.get(rank), begin));
                } else if (event instanceof LoggedEvent.GraphEnd end) {
                    GraphRun run = runs.get(end.run());
                    if (run != null) {
                        run.nanos = OptionalLong.of(
                                end.at().endNanos() - run.begin.at().beginNanos());
                    }
                } else if (event instanceof LoggedEvent.Task task) {
                    GraphRun run = runs.get(task.run());
                    if (run != null) {
                        run.tasks.put(task.task(), new Task(task));
                        runOfTask.put(task.task(), run);
                    }
                } else {
                    addDetail(event, runOfTask);
                }
            }
            all.addAll(runs.values());
        }
        return all;
    }

    private static void addDetail(LoggedEvent event, Map<Integer, GraphRun> runOfTask) {
        if (event instanceof LoggedEvent.Edge edge) {
            GraphRun run = runOfTask.get(edge.after());
            if (run != null) {
                run.add(edge);
            }
            return;
        }
        GraphRun run = runOfTask.get(event.at().actor());
        Task task = run == null ? null : run.tasks.get(event.at().actor());
        if (task == null) {
            return;
        }
        if (event instanceof LoggedEvent.Argument argument) {
            task.arguments.add(argument);
        } else if (event instanceof LoggedEvent.Wait wait && wait.look() == LoggedEvent.Look.TASK) {
            task.waits.add(wait);
        } else if (event instanceof LoggedEvent.MemoryCopy copy) {
            task.copies.add(copy);
        } else if (event instanceof LoggedEvent.TaskEnd end) {
            task.skipped = end.skipped();
        }
    }

    private void add(LoggedEvent.Edge edge) {
        Task before = tasks.get(edge.before());
        Task after = tasks.get(edge.after());
        if (before != null && after != null) {
            edges.add(new Edge(before, after, edge.derived()));
        }
    }

    int rank() {
        return rank;
    }

    TestRange range() {
        return range;
    }

    long number() {
        return begin.run();
    }

    /** The name of the graph. */
    String name() {
        return range.text(begin.text());
    }

    /** What kind of graph it is. */
    String what() {
        return range.text(begin.what());
    }

    /** How long it took; empty if it has not ended. */
    OptionalLong nanos() {
        return nanos;
    }

    Iterable<Task> tasks() {
        return tasks.values();
    }

    List<Edge> edges() {
        return edges;
    }
}
