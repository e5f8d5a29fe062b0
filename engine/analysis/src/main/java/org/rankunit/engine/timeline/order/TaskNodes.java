package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;
import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.LoggedEvent.Look;

/** The events of one task. */
public final class TaskNodes {

    public final int rank;
    final Node making;
    public final LoggedEvent.Task made;
    public final List<LoggedEvent.Argument> arguments = new ArrayList<>();
    public final List<BlockNodes> blocks = new ArrayList<>();
    final List<Node> waits = new ArrayList<>();

    /** Looks for its predicate, when all that it depends on is done. */
    final List<Node> predicates = new ArrayList<>();

    @Nullable Node published;

    @Nullable Node end;

    /** The events of one block, in their order. */
    public static final class BlockNodes {

        public final Node begin;
        public final List<Node> inside = new ArrayList<>();

        public @Nullable Node end;

        BlockNodes(Node begin) {
            this.begin = begin;
        }

        void add(Node node) {
            if (node.event instanceof LoggedEvent.BlockEnd) {
                end = node;
            } else {
                inside.add(node);
            }
        }
    }

    private TaskNodes(Node making, LoggedEvent.Task made) {
        this.making = making;
        this.rank = making.rank;
        this.made = made;
    }

    /** All tasks, by rank and actor, in the order in which each rank made them. */
    static Map<Long, TaskNodes> in(List<Node> nodes) {
        Map<Long, TaskNodes> tasks = new LinkedHashMap<>();
        for (Node node : nodes) {
            if (node.event instanceof LoggedEvent.Task task) {
                tasks.put(key(node.rank, task.task()), new TaskNodes(node, task));
            }
        }
        if (tasks.isEmpty()) {
            return tasks;
        }
        Map<Long, BlockNodes> blocks = new HashMap<>();
        for (Node node : nodes) {
            if (node.event instanceof LoggedEvent.Publish publish) {
                TaskNodes task = tasks.get(key(node.rank, publish.task()));
                if (task != null) {
                    task.published = node;
                }
            } else if (node.event instanceof LoggedEvent.BlockBegin begin) {
                TaskNodes task = tasks.get(key(node.rank, begin.parent()));
                if (task != null) {
                    BlockNodes block = new BlockNodes(node);
                    task.blocks.add(block);
                    blocks.put(key(node.rank, begin.at().actor()), block);
                }
            } else if (node.event != null) {
                long actor = key(node.rank, node.event.at().actor());
                collect(node, tasks.get(actor), blocks.get(actor));
            }
        }
        return tasks;
    }

    private static void collect(Node node, @Nullable TaskNodes task, @Nullable BlockNodes block) {
        if (block != null) {
            block.add(node);
        } else if (task != null && node.event instanceof LoggedEvent.TaskEnd) {
            task.end = node;
        } else if (task != null && node.event instanceof LoggedEvent.Argument argument) {
            task.arguments.add(argument);
        } else if (task != null && node.event instanceof LoggedEvent.Wait wait && wait.look() == Look.TASK) {
            task.waits.add(node);
        } else if (task != null && node.event instanceof LoggedEvent.Wait wait && wait.look() == Look.PREDICATE) {
            task.predicates.add(node);
        }
    }

    /** What had to happen before it could run, its waits among it. */
    Stream<Node> causes() {
        Node begin = blocks.isEmpty() ? end : blocks.get(0).begin;
        return begin == null ? Stream.empty() : begin.before.stream();
    }

    /** Say that something happened before any of its blocks, and before its end if it was skipped. */
    void startsAfter(@Nullable Node before) {
        predicates.forEach(predicate -> order(before, predicate));
        runsAfter(before);
    }

    /** The same, and nothing about its predicate. */
    void runsAfter(@Nullable Node before) {
        blocks.forEach(block -> order(before, block.begin));
        order(before, end);
    }
}
