package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;
import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.rankunit.engine.timeline.LoggedEvent;

/** The order that streams, events and barriers make. */
final class StreamOrder {

    private final Map<Long, Node> enqueued = new HashMap<>();
    private final Map<Long, Node> begun = new HashMap<>();
    private final Map<Long, NavigableMap<Long, Node>> endedOnStreams = new HashMap<>();
    private final Map<Long, Node> recorded = new HashMap<>();
    private final Map<Barrier, List<Node>> barriers = new HashMap<>();

    private record Barrier(long communicator, long domain, long number) {}

    private StreamOrder() {}

    static void addTo(EventGraph graph) {
        StreamOrder streams = new StreamOrder();
        graph.nodes().forEach(streams::collect);
        graph.nodes().forEach(streams::connect);
    }

    private void collect(Node node) {
        int rank = node.rank;
        if (node.event instanceof LoggedEvent.Enqueue enqueue) {
            enqueued.put(key(rank, enqueue.work()), node);
        } else if (node.event instanceof LoggedEvent.WorkBegin begin) {
            begun.put(key(rank, begin.work()), node);
        } else if (node.event instanceof LoggedEvent.WorkEnd end) {
            endedOnStreams
                    .computeIfAbsent(key(rank, end.at().actor()), actor -> new TreeMap<>())
                    .put(end.work(), node);
        } else if (node.event instanceof LoggedEvent.EventRecord point) {
            recorded.put(key(rank, point.point()), node);
        } else if (node.event instanceof LoggedEvent.BarrierBegin barrier) {
            barriers.computeIfAbsent(
                            new Barrier(barrier.communicator(), barrier.domain(), barrier.number()),
                            each -> new ArrayList<>())
                    .add(node);
        }
    }

    private void connect(Node node) {
        int rank = node.rank;
        if (node.event instanceof LoggedEvent.WorkBegin begin) {
            order(enqueued.get(key(rank, begin.work())), node);
        } else if (node.event instanceof LoggedEvent.StreamSync sync) {
            connect(sync, node);
        } else if (node.event instanceof LoggedEvent.EventWait wait) {
            order(recorded.get(key(rank, wait.point())), node);
        } else if (node.event instanceof LoggedEvent.BarrierEnd end) {
            barriers.getOrDefault(new Barrier(end.communicator(), end.domain(), end.number()), List.of())
                    .forEach(begin -> order(begin, node));
        } else if (node.event instanceof LoggedEvent.BlockBegin block) {
            order(begun.get(key(rank, block.work())), node);
        }
    }

    private void connect(LoggedEvent.StreamSync sync, Node node) {
        NavigableMap<Long, Node> ended = endedOnStreams.get(key(node.rank, sync.stream()));
        Map.Entry<Long, Node> last = ended == null ? null : ended.floorEntry(sync.work());
        order(last == null ? null : last.getValue(), node);
    }
}
