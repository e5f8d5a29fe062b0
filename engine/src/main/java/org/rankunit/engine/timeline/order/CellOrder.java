package org.rankunit.engine.timeline.order;

import static org.rankunit.engine.timeline.order.EventGraph.order;

import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;

/**
 * The order that signals make. A wait has seen the latest signal that set its cell, and everything that was added to the
 * cell since.
 */
final class CellOrder {

    private final EventGraph graph;
    private final Map<Place, NavigableMap<Long, Node>> signals = new HashMap<>();

    private CellOrder(EventGraph graph) {
        this.graph = graph;
    }

    static void addTo(EventGraph graph) {
        CellOrder cells = new CellOrder(graph);
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal) {
                cells.signals
                        .computeIfAbsent(cells.placeOf(node, signal.cell()), place -> new TreeMap<>())
                        .put(signal.order(), node);
            }
        }
        graph.nodes().forEach(cells::connect);
    }

    private Place placeOf(Node node, long cell) {
        return graph.range(node.rank)
                .placeOf(node.rank, cell, Objects.requireNonNull(node.event).at());
    }

    private void connect(Node node) {
        if (!(node.event instanceof LoggedEvent.Wait wait)) {
            return;
        }
        NavigableMap<Long, Node> ofCell = signals.get(placeOf(node, wait.cell()));
        if (ofCell == null) {
            return;
        }
        for (Node signal : ofCell.headMap(wait.order(), true).descendingMap().values()) {
            order(signal, node);
            if (signal.event instanceof LoggedEvent.Signal made && !made.add()) {
                return;
            }
        }
    }
}
