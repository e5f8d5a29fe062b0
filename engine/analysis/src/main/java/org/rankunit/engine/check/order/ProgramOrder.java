package org.rankunit.engine.check.order;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.order.EventGraph;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Pair;

/**
 * What happens before what in every run of a program, as far as one run of it tells.
 *
 * <p>Streams, events, barriers and edges order by themselves. A wait for a cell or a notify orders only what it could not
 * do without: if other signals could have let it go on too, then in another run they do. What these need themselves
 * depends on other waits. So this begins with the order of the run, in which everything is ordered, and takes back what a
 * wait could do without, until nothing is left to take back. What remains is true of all runs that take the same
 * branches. Not thread-safe.
 */
public final class ProgramOrder {

    /** Nodes, by all passes for single waits. */
    private static final int MAX_LOOKED_AT = 200_000;

    private final EventGraph graph;
    private final Clocks clocks;
    private final CellHistory cells;
    private final NotifyHistory notifies;

    private ProgramOrder(EventGraph graph, Clocks clocks) {
        this.graph = graph;
        this.clocks = clocks;
        this.cells = new CellHistory(graph, clocks);
        this.notifies = new NotifyHistory(graph, clocks);
    }

    /**
     * Find the order.
     *
     * @param graph with all nodes that there will be
     * @throws IllegalStateException if something happened before itself
     */
    public static ProgramOrder of(EventGraph graph) {
        return new ProgramOrder(graph, new Clocks(Sequence.of(graph.nodes(), graph.sequenceOfMeetings()))).found();
    }

    private ProgramOrder found() {
        Map<Node, Clock> learned = new HashMap<>();
        boolean changes = changes(learned, true);
        while (changes) {
            changes = changes(learned, false); // until a pass takes nothing back
        }
        return this;
    }

    /** Make one pass. Returns whether waits have learned something else than in the one before. */
    private boolean changes(Map<Node, Clock> learned, boolean isFirst) {
        boolean[] changes = new boolean[1];
        clocks.pass(node -> {
            Clock now = learnedBy(node);
            if (!isFirst) {
                now = kept(learned.get(node), now);
            }
            if (now == null) {
                changes[0] |= learned.remove(node) != null;
            } else {
                changes[0] |= !now.equals(learned.put(node, now));
            }
            return now;
        });
        return changes[0];
    }

    /** A wait never learns what it has not learned in the pass before, so that the passes come to an end. */
    private static @Nullable Clock kept(@Nullable Clock before, @Nullable Clock now) {
        return before == null || now == null ? null : before.equals(now) ? before : before.common(now);
    }

    private @Nullable Clock learnedBy(Node node) {
        Clock byCell = cells.learnedBy(node);
        return byCell == null ? notifies.learnedBy(node) : byCell;
    }

    /** Whether one thing happens before another. */
    public boolean isBefore(Node first, Node second) {
        return clocks.isBefore(first, second);
    }

    /** The chain of a node. On a chain, the node with the smaller index happens before the one with the larger index. */
    public int chainOf(Node node) {
        return clocks.chainOf(node);
    }

    public int indexOf(Node node) {
        return clocks.indexOf(node);
    }

    /**
     * Waits for cells that never end if the signals come in another order, or all of them before a wait looks. Each takes passes
     * of its own to find out; of very many, those that are not looked at count as missed.
     */
    public List<Node> missable() {
        List<Node> candidates = cells.missable();
        if (candidates.isEmpty()) {
            return candidates;
        }
        int looked =
                Math.min(candidates.size(), 1 + MAX_LOOKED_AT / graph.nodes().size());
        return Stream.concat(
                        candidates.subList(0, looked).stream().filter(this::isMissedByItself),
                        candidates.subList(looked, candidates.size()).stream())
                .toList();
    }

    /**
     * Whether a wait may miss what it waits for, even if what comes after it is left out, which cannot happen then. Others may
     * need more without that, and so order what they did not order before.
     */
    private boolean isMissedByItself(Node wait) {
        return new ProgramOrder(graph, clocks.without(wait)).found().cells.mayMiss(wait);
    }

    /** Posts of a notify of which the second one may come while it is still set by the first one. */
    public List<Pair> losable() {
        return notifies.losable();
    }

    /** Waits for a notify of which either may take the post that the other one needs. */
    public List<Pair> contending() {
        return notifies.contending();
    }
}
