package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange;

/**
 * What all ranks did in a test, with what happened before what. Waits for cells and notifies are only ordered by what they
 * have seen, which another run may do otherwise. Filled by one thread, then only read.
 */
public final class EventGraph {

    /** A graph of more of them is not made: time and memory grow with the square of some. */
    public static final int MAX_EVENTS = 200_000;

    public static final int MAX_TASKS = 5_000;

    private final List<TestRange> ranges;
    private final List<Node> nodes = new ArrayList<>();

    /** The nodes of each class of events, in their order. */
    private final Map<Class<?>, List<Node>> byClass = new HashMap<>();

    private final Map<Long, TaskNodes> tasks;
    private final List<LaunchNodes> launches;
    private final List<Pair> leftOut;

    /** Which actors are blocks. */
    private final Map<Long, LoggedEvent.BlockBegin> blocks = new HashMap<>();

    /** The latest event of each actor. */
    private final Map<Long, Node> latest = new HashMap<>();

    /** Connect the events of the ranks, whose parts of the logs are given in their order, as they happened in this run. */
    public static EventGraph ofRun(List<TestRange> ranges) {
        EventGraph graph = new EventGraph(ranges);
        SeenOrder.of(graph).seenByWaits().forEach(pair -> order(pair.before(), pair.after()));
        return graph;
    }

    /** Connect them without what waits for cells and notifies have seen. */
    public static EventGraph ofProgram(List<TestRange> ranges) {
        return new EventGraph(ranges);
    }

    private EventGraph(List<TestRange> ranges) {
        this.ranges = ranges;
        for (int rank = 0; rank < ranges.size(); rank++) {
            for (LoggedEvent event : ranges.get(rank).events()) {
                if (event instanceof LoggedEvent.MemoryCopy) {
                    continue; // something that recording does
                }
                Node node = add(rank, event);
                byClass.computeIfAbsent(event.getClass(), each -> new ArrayList<>())
                        .add(node);
                order(latest.put(key(rank, event.at().actor()), node), node);
                if (event instanceof LoggedEvent.BlockBegin block) {
                    blocks.put(key(rank, event.at().actor()), block);
                }
            }
        }
        this.tasks = TaskNodes.in(nodes);
        this.launches = LaunchNodes.in(nodes);
        StreamOrder.addTo(this);
        ThreadOrder.addTo(this);
        TaskOrder.addTo(this);
        this.leftOut = DerivedEdges.addTo(this);
    }

    /** Count what decides how much it costs to connect the events. */
    public static Size sizeOf(List<TestRange> ranges) {
        long events = 0;
        long tasks = 0;
        for (TestRange range : ranges) {
            events += range.events().size();
            tasks += range.events().stream()
                    .filter(LoggedEvent.Task.class::isInstance)
                    .count();
        }
        return new Size(events, tasks);
    }

    /** How much ranks have recorded. */
    public record Size(long events, long tasks) {

        public boolean isTooLarge() {
            return events > MAX_EVENTS || tasks > MAX_TASKS;
        }

        /** Says how much is too much: {@code "can be checked"}. */
        public String text(String what) {
            return "it has " + events + " events, of which at most " + MAX_EVENTS + " " + what + ", and " + tasks
                    + " tasks, of which at most " + MAX_TASKS + " can be";
        }
    }

    public List<Node> nodes() {
        return nodes;
    }

    /** The nodes of one class of events, in their order. */
    public List<Node> nodes(Class<? extends LoggedEvent> ofClass) {
        return byClass.getOrDefault(ofClass, List.of());
    }

    public boolean has(Class<? extends LoggedEvent> ofClass) {
        return byClass.containsKey(ofClass);
    }

    /** All tasks, by rank and actor, in the order in which each rank made them. */
    public Map<Long, TaskNodes> tasks() {
        return tasks;
    }

    /** The block that an actor of a rank is, if it is one. */
    public LoggedEvent.@Nullable BlockBegin block(int rank, int actor) {
        return blocks.get(key(rank, actor));
    }

    /** All launches outside of graphs, in the order in which they began on each rank. */
    public List<LaunchNodes> launches() {
        return launches;
    }

    public TestRange range(int rank) {
        return ranges.get(rank);
    }

    /** Add an access of a kernel that has no event of its own. */
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

    /** In which order signals, posts, and waits for them happened in this run. */
    public List<Pair> sequenceOfMeetings() {
        return SeenOrder.of(this).sequence();
    }

    /** What derived dependencies would have ordered that were left out on purpose. */
    public List<Pair> leftOut() {
        return leftOut;
    }

    /** Identifies something that a rank has numbered. */
    public static long key(int rank, long number) {
        return (long) rank << 56 ^ number;
    }
}
