package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;
import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;

/** The order that task graphs and kernels in blocks make. */
final class TaskOrder {

    private final Map<Long, TaskNodes> tasks;
    private final Map<Long, Node> graphBegins = new HashMap<>();
    private final Map<Long, Node> graphEnds = new HashMap<>();
    private final Map<Long, Node> orchestrationEnds = new HashMap<>();
    private final Map<Long, Node> workEnds = new HashMap<>();
    private final Map<Long, LoggedEvent.BlockBegin> blocks = new HashMap<>();

    private TaskOrder(EventGraph graph) {
        this.tasks = graph.tasks();
    }

    static void addTo(EventGraph graph) {
        TaskOrder order = new TaskOrder(graph);
        graph.nodes().forEach(order::collect);
        graph.nodes().forEach(order::connect);
        order.tasks.values().forEach(order::connect);
    }

    private void collect(Node node) {
        if (node.event instanceof LoggedEvent.GraphBegin begin) {
            graphBegins.put(key(node.rank, begin.run()), node);
        } else if (node.event instanceof LoggedEvent.GraphEnd end) {
            graphEnds.put(key(node.rank, end.run()), node);
        } else if (node.event instanceof LoggedEvent.OrchestrationEnd end) {
            orchestrationEnds.put(key(node.rank, end.run()), node);
        } else if (node.event instanceof LoggedEvent.WorkEnd end) {
            workEnds.put(key(node.rank, end.work()), node);
        } else if (node.event instanceof LoggedEvent.BlockBegin begin) {
            blocks.put(key(node.rank, begin.at().actor()), begin);
        }
    }

    private void connect(Node node) {
        int rank = node.rank;
        if (node.event instanceof LoggedEvent.OrchestrationBegin begin) {
            order(graphBegins.get(key(rank, begin.run())), node);
        } else if (node.event instanceof LoggedEvent.GraphEnd end) {
            order(orchestrationEnds.get(key(rank, end.run())), node);
        } else if (node.event instanceof LoggedEvent.BlockEnd end) {
            LoggedEvent.BlockBegin begin = blocks.get(key(rank, end.at().actor()));
            order(node, begin == null ? null : workEnds.get(key(rank, begin.work())));
        } else if (node.event instanceof LoggedEvent.DeferredComplete complete) {
            TaskNodes task = tasks.get(key(rank, complete.task()));
            order(node, task == null ? null : task.end);
        } else if (node.event instanceof LoggedEvent.Edge edge) {
            connect(tasks.get(key(rank, edge.before())), tasks.get(key(rank, edge.after())));
        }
    }

    private static void connect(@Nullable TaskNodes before, @Nullable TaskNodes after) {
        if (before != null && after != null) {
            after.startsAfter(before.end);
        }
    }

    private void connect(TaskNodes task) {
        long run = key(task.rank, task.made.run());
        task.startsAfter(graphBegins.get(run));
        task.startsAfter(task.making);
        task.startsAfter(task.published);
        task.waits.forEach(task::startsAfter);
        task.predicates.forEach(task::runsAfter);
        task.blocks.forEach(block -> order(block.end, task.end));
        order(task.end, graphEnds.get(run));
    }
}
