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

    private DerivedEdges() {}

    /** Add the dependencies. Returns those that were left out on purpose. */
    static List<Pair> addTo(EventGraph graph) {
        Set<Long> runs = new HashSet<>();
        for (Node node : graph.nodes(LoggedEvent.Ring.class)) {
            if (node.event instanceof LoggedEvent.Ring ring) {
                runs.add(key(node.rank, ring.run()));
            }
        }
        if (runs.isEmpty()) {
            return List.of(); // no other runtime has rings
        }
        Map<Long, List<TaskNodes>> byRun = new HashMap<>();
        for (TaskNodes task : graph.tasks().values()) {
            long run = key(task.rank, task.made.run());
            if (runs.contains(run)) {
                byRun.computeIfAbsent(run, each -> new ArrayList<>()).add(task);
            }
        }
        Map<Long, Long> scopes = manualScopes(graph);
        Set<Search> leftOut = leftOut(graph);
        List<Pair> missing = new ArrayList<>();
        byRun.values().forEach(each -> connect(each, scopes, leftOut, missing));
        return missing;
    }

    /** An argument of a task for which the runtime has searched for other tasks. */
    private record Search(int rank, long task, int argument) {}

    private static Set<Search> leftOut(EventGraph graph) {
        Set<Search> searches = new HashSet<>();
        for (Node node : graph.nodes(LoggedEvent.Truncated.class)) {
            if (node.event instanceof LoggedEvent.Truncated left && left.step() == LoggedEvent.Step.TENSOR) {
                searches.add(new Search(node.rank, left.task(), left.argument()));
            }
        }
        return searches;
    }

    /** A task waits for those that used its bytes last, and these for those before. */
    private static void connect(
            List<TaskNodes> tasks, Map<Long, Long> scopes, Set<Search> leftOut, List<Pair> missing) {
        LastUsers<TaskNodes> users = new LastUsers<>();
        for (TaskNodes task : tasks) {
            // Tasks of one manual scope are ordered by their own edges alone.
            Long scope = scopes.get(key(task.rank, task.made.task()));
            Set<TaskNodes> known = new HashSet<>();
            for (LoggedEvent.Argument argument : task.arguments) {
                if (argument.use() == Use.SCALAR) {
                    continue;
                }
                boolean searched = !leftOut.contains(new Search(task.rank, task.made.task(), argument.index()));
                long end = argument.value() + argument.bytes();
                users.add(task, scope, argument.value(), end, argument.use() != Use.READ, earlier -> {
                    if (earlier == task) {
                        return true;
                    } else if (!searched) {
                        addMissing(earlier, task, missing);
                    } else if (known.add(earlier)) {
                        task.startsAfter(earlier.end);
                    }
                    return searched;
                });
            }
        }
    }

    private static void addMissing(TaskNodes earlier, TaskNodes task, List<Pair> missing) {
        Node before = earlier.end;
        if (before != null) {
            task.blocks.forEach(block -> missing.add(new Pair(before, block.begin)));
        }
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
