package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
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

    private record Post(long token, long sequence) {}

    private SeenOrder(EventGraph graph) {
        this.graph = graph;
    }

    static SeenOrder of(EventGraph graph) {
        SeenOrder seen = new SeenOrder(graph);
        graph.nodes().forEach(seen::collect);
        return seen;
    }

    /** All that each wait has seen. Grows with the square of what is added to a cell. */
    List<Pair> seenByWaits() {
        List<Pair> pairs = new ArrayList<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Wait wait) {
                addSeen(node, wait, pairs);
            }
            addPost(node, pairs);
        }
        return pairs;
    }

    /** The same order, in which signals of a cell happen one after the other. */
    List<Pair> sequence() {
        List<Pair> pairs = new ArrayList<>();
        for (NavigableMap<Long, Node> ofCell : signals.values()) {
            Node before = null;
            for (Node signal : ofCell.values()) {
                add(before, signal, pairs);
                before = signal;
            }
        }
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Wait wait) {
                NavigableMap<Long, Node> ofCell = signals.get(placeOf(node, wait.cell()));
                Map.Entry<Long, Node> last = ofCell == null ? null : ofCell.floorEntry(wait.order());
                add(last == null ? null : last.getValue(), node, pairs);
            }
            addPost(node, pairs);
        }
        return pairs;
    }

    private static void add(@Nullable Node before, Node after, List<Pair> pairs) {
        if (before != null) {
            pairs.add(new Pair(before, after));
        }
    }

    private void collect(Node node) {
        if (node.event instanceof LoggedEvent.Signal signal) {
            signals.computeIfAbsent(placeOf(node, signal.cell()), place -> new TreeMap<>())
                    .put(signal.order(), node);
        } else if (node.event instanceof LoggedEvent.NotifyPost post) {
            posts.put(new Post(post.token(), post.sequence()), node);
        }
    }

    private void addPost(Node node, List<Pair> pairs) {
        if (node.event instanceof LoggedEvent.NotifyWait wait) {
            add(posts.get(new Post(wait.token(), wait.sequence())), node, pairs);
        } else if (node.event instanceof LoggedEvent.NotifyPost post && post.replaced() != 0) {
            // The wait that takes this post has seen the replaced one too.
            add(posts.get(new Post(post.token(), post.replaced())), node, pairs);
        }
    }

    private void addSeen(Node node, LoggedEvent.Wait wait, List<Pair> pairs) {
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
