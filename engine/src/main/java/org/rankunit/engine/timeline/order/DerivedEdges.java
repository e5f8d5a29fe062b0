package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Use;

/**
 * The dependencies of {@code tensormap_and_ringbuffer} on tasks that had completed before: the log has no edges for them,
 * and they follow from the arguments.
 */
final class DerivedEdges {

    /** More dependencies than the memory of this JVM has room for, in a quarter of it, are not found. */
    private static final long MOST_EDGES = Runtime.getRuntime().maxMemory() / 4 / 16;

    private DerivedEdges() {}

    /** Add the dependencies. Returns those that were left out on purpose. */
    static List<Pair> addTo(EventGraph graph) {
        Set<Long> runs = new HashSet<>();
        Map<Long, Long> scopes = manualScopes(graph);
        for (Node node : graph.nodes()) {
            // No other runtime has rings.
            if (node.event instanceof LoggedEvent.Ring ring) {
                runs.add(key(node.rank, ring.run()));
            }
        }
        Map<Long, List<TaskNodes>> byRun = new HashMap<>();
        for (TaskNodes task : graph.tasks().values()) {
            long run = key(task.rank, task.made.run());
            if (runs.contains(run)) {
                byRun.computeIfAbsent(run, each -> new ArrayList<>()).add(task);
            }
        }
        Set<Search> leftOut = leftOut(graph);
        List<Pair> missing = new ArrayList<>();
        byRun.values().forEach(each -> connect(each, scopes, leftOut, missing));
        return missing;
    }

    /** An argument of a task for which the runtime has searched for other tasks. */
    private record Search(int rank, long task, int argument) {}

    private static Set<Search> leftOut(EventGraph graph) {
        Set<Search> searches = new HashSet<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.LeftOut left && left.step() == LoggedEvent.Step.TENSOR) {
                searches.add(new Search(node.rank, left.task(), left.argument()));
            }
        }
        return searches;
    }

    private static void connect(
            List<TaskNodes> tasks, Map<Long, Long> scopes, Set<Search> leftOut, List<Pair> missing) {
        List<Tensor> tensors = new ArrayList<>();
        for (int i = 0; i < tasks.size(); i++) {
            TaskNodes task = tasks.get(i);
            for (LoggedEvent.Argument argument : task.arguments) {
                if (argument.use() != Use.SCALAR) {
                    boolean searched = !leftOut.contains(new Search(task.rank, task.made.task(), argument.index()));
                    tensors.add(new Tensor(
                            task, i, argument.use() != Use.READ, argument.value(), argument.bytes(), searched));
                }
            }
        }
        long[] edges = new long[1];
        Overlaps.forEach(tensors, (a, b) -> {
            boolean inOrder = a.place() < b.place();
            TaskNodes first = inOrder ? a.task() : b.task();
            Tensor second = inOrder ? b : a;
            if (++edges[0] > MOST_EDGES) {
                throw new IllegalStateException("the tasks of a graph have more than " + MOST_EDGES
                        + " dependencies by their arguments, more than this JVM has memory for; give it more (-Xmx)");
            }
            if ((a.written() || b.written()) && a.place() != b.place() && !areByHand(first, second.task(), scopes)) {
                if (second.searched()) {
                    second.task().startsAfter(first.end);
                } else if (first.end != null) {
                    Node before = first.end;
                    second.task().blocks.forEach(block -> missing.add(new Pair(before, block.begin)));
                }
            }
        });
    }

    /**
     * An argument of a task.
     *
     * @param place number of the task among those of its run
     * @param searched whether its task waits for those that used the bytes before
     */
    private record Tensor(TaskNodes task, int place, boolean written, long offset, long bytes, boolean searched)
            implements Overlaps.Range {}

    /** Whether both are in the same manual scope, where only their own edges order them. */
    private static boolean areByHand(TaskNodes a, TaskNodes b, Map<Long, Long> scopes) {
        Long scope = scopes.get(key(a.rank, a.made.task()));
        return scope != null && scope.equals(scopes.get(key(b.rank, b.made.task())));
    }

    /** The innermost manual scope in which each task was submitted, if it is the innermost scope at all. */
    private static Map<Long, Long> manualScopes(EventGraph graph) {
        Map<Long, Long> ofTasks = new HashMap<>();
        Map<Long, List<LoggedEvent.ScopeBegin>> open = new HashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.ScopeBegin begin) {
                open.computeIfAbsent(key(node.rank, begin.run()), run -> new ArrayList<>())
                        .add(begin);
            } else if (node.event instanceof LoggedEvent.ScopeEnd end) {
                List<LoggedEvent.ScopeBegin> ofRun = open.getOrDefault(key(node.rank, end.run()), new ArrayList<>());
                ofRun.removeIf(begin -> begin.scope() == end.scope());
            } else if (node.event instanceof LoggedEvent.Task task) {
                List<LoggedEvent.ScopeBegin> ofRun = open.getOrDefault(key(node.rank, task.run()), List.of());
                if (!ofRun.isEmpty() && ofRun.get(ofRun.size() - 1).manual()) {
                    ofTasks.put(
                            key(node.rank, task.task()),
                            ofRun.get(ofRun.size() - 1).scope());
                }
            }
        }
        return ofTasks;
    }
}
