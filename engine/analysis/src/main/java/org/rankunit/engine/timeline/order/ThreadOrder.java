package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.key;
import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.LoggedEvent;

/** The order that threads of the program make by locks, latches, and their begins and ends. */
final class ThreadOrder {

    /** By when they had ended, the events of the actors whose events have been acquired. */
    private final Map<Long, NavigableMap<Long, Node>> ended = new HashMap<>();

    private ThreadOrder() {}

    static void addTo(EventGraph graph) {
        ThreadOrder threads = new ThreadOrder();
        for (Node node : graph.nodes(LoggedEvent.Acquire.class)) {
            if (node.event instanceof LoggedEvent.Acquire acquire) {
                threads.ended.computeIfAbsent(key(node.rank, acquire.from()), actor -> new TreeMap<>());
            }
        }
        if (!threads.ended.isEmpty()) {
            graph.nodes().forEach(threads::collect);
            graph.nodes(LoggedEvent.Acquire.class).forEach(threads::connect);
        }
    }

    private void collect(Node node) {
        LoggedEvent event = node.event;
        if (event == null) {
            return;
        }
        NavigableMap<Long, Node> ofActor = ended.get(key(node.rank, event.at().actor()));
        if (ofActor != null) {
            // Of two that end in the same nanosecond the later one.
            ofActor.put(event.at().endNanos(), node);
        }
    }

    private void connect(Node node) {
        if (node.event instanceof LoggedEvent.Acquire acquire) {
            order(last(node.rank, acquire), node);
        }
    }

    private @Nullable Node last(int rank, LoggedEvent.Acquire acquire) {
        Map.Entry<Long, Node> last =
                ended.getOrDefault(key(rank, acquire.from()), new TreeMap<>()).floorEntry(acquire.untilNanos());
        return last == null ? null : last.getValue();
    }
}
