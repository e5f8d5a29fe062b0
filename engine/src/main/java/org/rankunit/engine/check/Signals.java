package org.rankunit.engine.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;

/** Finds signals and posts that were lost, since another one came before anybody had seen them, and posts that nobody took. */
final class Signals {

    private static final int CELL_BYTES = 4;

    private record Post(long token, long sequence) {}

    private final EventGraph graph;
    private final Names names;
    private final MemoryNames memory;

    private Signals(EventGraph graph, Names names, MemoryNames memory) {
        this.graph = graph;
        this.names = names;
        this.memory = memory;
    }

    static List<String> lost(EventGraph graph, Names names, MemoryNames memory) {
        Signals signals = new Signals(graph, names, memory);
        List<String> all = new ArrayList<>(signals.postedTwice());
        all.addAll(signals.overwritten());
        return all;
    }

    /** Posts that were still there when the test ended. The next use of the notify would take them for its own. */
    static List<String> leftOver(EventGraph graph, Names names, MemoryNames memory) {
        Signals signals = new Signals(graph, names, memory);
        Map<Post, Node> posts = signals.posts();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.NotifyWait wait) {
                posts.remove(new Post(wait.token(), wait.sequence()));
            } else if (node.event instanceof LoggedEvent.NotifyPost post && post.replaced() != 0) {
                posts.remove(new Post(post.token(), post.replaced()));
            }
        }
        return distinct(posts.values().stream()
                .map(node ->
                        "left post: a notify was still set when the test ended, so that the next wait for it would not"
                                + " wait\n    posted by " + signals.who(node))
                .toList());
    }

    private Map<Post, Node> posts() {
        Map<Post, Node> posts = new LinkedHashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.NotifyPost post) {
                posts.put(new Post(post.token(), post.sequence()), node);
            }
        }
        return posts;
    }

    private List<String> postedTwice() {
        Map<Post, Node> posts = posts();
        List<String> found = new ArrayList<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.NotifyPost post && post.replaced() != 0) {
                Node first = posts.get(new Post(post.token(), post.replaced()));
                found.add("lost post: a notify was posted that was still set, so that one wait takes both posts\n    "
                        + "posted by " + (first == null ? "somebody before the test" : who(first))
                        + "\n    posted by " + who(node));
            }
        }
        return distinct(found);
    }

    /** A cell in the order of what happened to it. */
    private List<String> overwritten() {
        Map<Place, TreeMap<Long, Node>> sets = new HashMap<>();
        Map<Place, Set<Long>> looks = new HashMap<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal && !signal.add()) {
                sets.computeIfAbsent(placeOf(node, signal.cell()), place -> new TreeMap<>())
                        .put(signal.order(), node);
            } else if (node.event instanceof LoggedEvent.Wait wait) {
                looks.computeIfAbsent(placeOf(node, wait.cell()), place -> new HashSet<>())
                        .add(wait.order());
            }
        }
        List<String> found = new ArrayList<>();
        sets.forEach((place, ofCell) -> found.addAll(overwritten(place, ofCell, looks.getOrDefault(place, Set.of()))));
        return distinct(found);
    }

    private List<String> overwritten(Place place, NavigableMap<Long, Node> sets, Set<Long> looks) {
        List<String> found = new ArrayList<>();
        for (long order : sets.keySet()) {
            Long next = sets.higherKey(order);
            if (next == null || looks.stream().anyMatch(look -> look >= order && look < next)) {
                continue;
            }
            Node first = Objects.requireNonNull(sets.get(order));
            Node second = Objects.requireNonNull(sets.get(next));
            found.add("lost signal: " + memory.of(place, CELL_BYTES, first, second)
                    + " were set again before anybody had waited for the first value\n    " + text(first) + "\n    "
                    + text(second));
        }
        return found;
    }

    private String text(Node node) {
        int value = node.event instanceof LoggedEvent.Signal signal ? signal.value() : 0;
        return "set to " + value + " by " + who(node);
    }

    private String who(Node node) {
        return names.who(node) + names.places().at(node);
    }

    private static List<String> distinct(List<String> texts) {
        return texts.stream().distinct().toList();
    }

    private Place placeOf(Node node, long cell) {
        return graph.range(node.rank)
                .placeOf(node.rank, cell, Objects.requireNonNull(node.event).at());
    }
}
