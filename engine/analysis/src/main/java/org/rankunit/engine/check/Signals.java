package org.rankunit.engine.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.rankunit.engine.check.order.Condition;
import org.rankunit.engine.check.order.ProgramOrder;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.TestRange.Place;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Pair;

/** Finds signals and posts that were lost, since another one came before they had been seen, and posts that were never taken. */
final class Signals {

    private static final int CELL_BYTES = 4;

    private record Post(long token, long sequence) {}

    private final EventGraph graph;
    private final ProgramOrder order;
    private final Names names;
    private final MemoryNames memory;
    private final Map<Place, Cell> cells = new LinkedHashMap<>();

    /** What happened to a cell: the signals that set it, by their order, and who waited for it. */
    private record Cell(NavigableMap<Long, Node> sets, List<Node> waits) {}

    private Signals(EventGraph graph, ProgramOrder order, Names names, MemoryNames memory) {
        this.graph = graph;
        this.order = order;
        this.names = names;
        this.memory = memory;
    }

    /** Posts that another one may replace, and waits that may never end. */
    static List<String> lost(EventGraph graph, ProgramOrder order, Names names, MemoryNames memory) {
        Signals signals = new Signals(graph, order, names, memory);
        List<String> all = new ArrayList<>(signals.postedTwice());
        order.contending().forEach(pair -> all.add(signals.contended(pair)));
        order.missable().forEach(wait -> all.add(signals.missed(wait)));
        return distinct(all);
    }

    /** Values of cells that were replaced before they had been waited for. They do harm only if something needed them. */
    static List<String> overwritten(EventGraph graph, ProgramOrder order, Names names, MemoryNames memory) {
        Signals signals = new Signals(graph, order, names, memory);
        signals.collect();
        List<String> all = new ArrayList<>();
        signals.cells.forEach((place, cell) -> all.addAll(signals.overwritten(place, cell)));
        return distinct(all);
    }

    /**
     * Posts that were still there when the test ended. The next use of the notify would take them for its own, unless the
     * test has destroyed it: then they do no harm if they are what is left of several, such as credits.
     */
    static List<String> leftOver(EventGraph graph, ProgramOrder order, Names names, MemoryNames memory) {
        Signals signals = new Signals(graph, order, names, memory);
        Map<Post, Node> posts = signals.posts();
        if (posts.isEmpty()) {
            return List.of();
        }
        Set<Long> waitedFor = new HashSet<>();
        Set<Long> destroyed = new HashSet<>();
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.NotifyWait wait) {
                posts.remove(new Post(wait.token(), wait.sequence()));
                waitedFor.add(wait.token());
            } else if (node.event instanceof LoggedEvent.NotifyPost post && post.replaced() != 0) {
                posts.remove(new Post(post.token(), post.replaced()));
            } else if (node.event instanceof LoggedEvent.NotifyGone gone) {
                destroyed.add(gone.token());
            }
        }
        posts.keySet().removeIf(post -> destroyed.contains(post.token()) && waitedFor.contains(post.token()));
        return distinct(posts.values().stream()
                .map(node -> "left post: a notify was still set when the test ended, so the next wait for it would not"
                        + " wait\n    posted by " + signals.who(node))
                .toList());
    }

    private Map<Post, Node> posts() {
        Map<Post, Node> posts = new LinkedHashMap<>();
        for (Node node : graph.nodes(LoggedEvent.NotifyPost.class)) {
            if (node.event instanceof LoggedEvent.NotifyPost post) {
                posts.put(new Post(post.token(), post.sequence()), node);
            }
        }
        return posts;
    }

    private List<String> postedTwice() {
        List<String> found = new ArrayList<>();
        Map<Post, Node> posts = posts();
        for (Node node : graph.nodes(LoggedEvent.NotifyPost.class)) {
            if (node.event instanceof LoggedEvent.NotifyPost post
                    && post.replaced() != 0
                    && !posts.containsKey(new Post(post.token(), post.replaced()))) {
                found.add(postedTwice("something before the test", node));
            }
        }
        for (Pair pair : order.losable()) {
            found.add(postedTwice(who(pair.before()), pair.after()));
        }
        return distinct(found);
    }

    private String postedTwice(String first, Node second) {
        return "lost post: a notify was posted while it was still set, or may have been, so one wait takes both posts\n    "
                + "posted by " + first + "\n    posted by " + who(second);
    }

    private String contended(Pair waits) {
        return "contended notify: nothing orders two waits for the same notify, so"
                + " chance decides which of them takes a post\n    waited for by " + who(waits.before())
                + "\n    waited for by " + who(waits.after());
    }

    private void collect() {
        for (Node node : graph.nodes()) {
            if (node.event instanceof LoggedEvent.Signal signal && !signal.add()) {
                cell(node, signal.cell()).sets().put(signal.order(), node);
            } else if (node.event instanceof LoggedEvent.Wait wait) {
                cell(node, wait.cell()).waits().add(node);
            }
        }
    }

    private Cell cell(Node node, long address) {
        return cells.computeIfAbsent(placeOf(node, address), place -> new Cell(new TreeMap<>(), new ArrayList<>()));
    }

    private String missed(Node node) {
        return "lost signal: " + memory.of(placeOf(node, waitOf(node).cell()), CELL_BYTES, node, node)
                + " can satisfy a wait and then keep another value forever, so the wait never ends if nothing"
                + " looked in time\n    waited for " + Condition.of(waitOf(node)) + " by " + who(node);
    }

    /** They are no loss if waits demand at least, or at most, some value, and the next value does for every one as well. */
    private List<String> overwritten(Place place, Cell cell) {
        List<String> found = new ArrayList<>();
        NavigableSet<Long> waits =
                cell.waits().stream().map(wait -> waitOf(wait).order()).collect(Collectors.toCollection(TreeSet::new));
        for (Map.Entry<Long, Node> set : cell.sets().entrySet()) {
            Map.Entry<Long, Node> next = cell.sets().higherEntry(set.getKey());
            if (next != null
                    && waits.subSet(set.getKey(), next.getKey()).isEmpty()
                    && !isReplacedBy(cell, set.getValue(), next.getValue())) {
                found.add("lost signal: " + memory.of(place, CELL_BYTES, set.getValue(), next.getValue())
                        + " were set again before anything had waited for the first value\n    "
                        + text(set.getValue()) + "\n    " + text(next.getValue()));
            }
        }
        return found;
    }

    /** Whether every wait that may still need the first value is satisfied by the second one too, which is another one. */
    private boolean isReplacedBy(Cell cell, Node first, Node second) {
        int before = signalOf(first).value();
        int after = signalOf(second).value();
        List<Node> waits = cell.waits().stream()
                .filter(wait -> !order.isBefore(wait, first))
                .toList();
        return before != after
                && !waits.isEmpty()
                && waits.stream()
                        .map(wait -> Condition.of(waitOf(wait)))
                        .allMatch(condition ->
                                condition.isBound() && (!condition.holds(before) || condition.holds(after)));
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

    private static LoggedEvent.Signal signalOf(Node node) {
        return (LoggedEvent.Signal) Objects.requireNonNull(node.event);
    }

    private static LoggedEvent.Wait waitOf(Node node) {
        return (LoggedEvent.Wait) Objects.requireNonNull(node.event);
    }

    private Place placeOf(Node node, long cell) {
        return graph.range(node.rank)
                .placeOf(node.rank, cell, Objects.requireNonNull(node.event).at());
    }
}
