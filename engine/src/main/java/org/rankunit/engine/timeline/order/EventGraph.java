package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange;

/** What all ranks did in a test, with what happened before what. Filled by one thread, then only read. */
public final class EventGraph {

    private final List<TestRange> ranges;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Long, TaskNodes> tasks;

    /** The latest event of each actor. */
    private final Map<Long, Node> latest = new HashMap<>();

    /** Connect the events of the ranks, whose parts of the logs are given in their order. */
    public EventGraph(List<TestRange> ranges) {
        this.ranges = ranges;
        for (int rank = 0; rank < ranges.size(); rank++) {
            for (LoggedEvent event : ranges.get(rank).events()) {
                Node node = add(rank, event);
                order(latest.put(key(rank, event.at().actor()), node), node);
            }
        }
        this.tasks = TaskNodes.in(nodes);
        StreamOrder.addTo(this);
        CellOrder.addTo(this);
        TaskOrder.addTo(this);
        DerivedEdges.addTo(this);
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** All tasks, by rank and actor, in the order in which each rank made them. */
    public Map<Long, TaskNodes> tasks() {
        return tasks;
    }

    public TestRange range(int rank) {
        return ranges.get(rank);
    }

    /** Add an access of a task. */
    public Node addAccess(int rank) {
        return add(rank, null);
    }

    private Node add(int rank, @Nullable LoggedEvent event) {
        Node node = new Node(nodes.size(), rank, event);
        nodes.add(node);
        return node;
    }

    /** Say that one thing happened before another. Either may be missing from the logs. */
    public static void order(@Nullable Node before, @Nullable Node after) {
        if (before != null && after != null) {
            after.before.add(before);
        }
    }

    /** Identifies something that a rank has numbered. */
    public static long key(int rank, long number) {
        return (long) rank << 56 ^ number;
    }
}
