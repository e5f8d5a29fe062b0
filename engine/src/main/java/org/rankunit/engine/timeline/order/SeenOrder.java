package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;

/**
 * What waits have seen in this run: a wait for a cell the latest signal that set the cell, and everything that was added to
 * it since; a wait for a notify the post that it took. In another run, the same wait may see others.
 */
final class SeenOrder {

    private final EventGraph graph;
    private final Map<Place, NavigableMap<Long, Node>> signals = new HashMap<>();
    private final Map<Post, Node> posts = new HashMap<>();
    private final List<Pair> pairs = new ArrayList<>();

    private record Post(long token, long sequence) {}

    private SeenOrder(EventGraph graph) {
        this.graph = graph;
    }

    static List<Pair> in(EventGraph graph) {
        SeenOrder seen = new SeenOrder(graph);
        graph.nodes().forEach(seen::collect);
        graph.nodes().forEach(seen::connect);
        return seen.pairs;
    }

    private void collect(Node node) {
        if (node.event instanceof LoggedEvent.Signal signal) {
            signals.computeIfAbsent(placeOf(node, signal.cell()), place -> new TreeMap<>())
                    .put(signal.order(), node);
        } else if (node.event instanceof LoggedEvent.NotifyPost post) {
            posts.put(new Post(post.token(), post.sequence()), node);
        }
    }

    private void connect(Node node) {
        if (node.event instanceof LoggedEvent.Wait wait) {
            connect(node, wait);
        } else if (node.event instanceof LoggedEvent.NotifyWait wait) {
            add(new Post(wait.token(), wait.sequence()), node);
        } else if (node.event instanceof LoggedEvent.NotifyPost post && post.replaced() != 0) {
            // The wait that takes this post has seen the replaced one too.
            add(new Post(post.token(), post.replaced()), node);
        }
    }

    private void add(Post post, Node node) {
        Node posted = posts.get(post);
        if (posted != null) {
            pairs.add(new Pair(posted, node));
        }
    }

    private void connect(Node node, LoggedEvent.Wait wait) {
        NavigableMap<Long, Node> ofCell = signals.get(placeOf(node, wait.cell()));
        if (ofCell == null) {
            return;
        }
        for (Node signal : ofCell.headMap(wait.order(), true).descendingMap().values()) {
            pairs.add(new Pair(signal, node));
            if (signal.event instanceof LoggedEvent.Signal made && !made.add()) {
                return;
            }
        }
    }

    private Place placeOf(Node node, long cell) {
        return graph.range(node.rank)
                .placeOf(node.rank, cell, Objects.requireNonNull(node.event).at());
    }
}
