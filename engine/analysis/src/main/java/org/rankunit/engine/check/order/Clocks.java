package org.rankunit.engine.check.order;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.order.Node;

/**
 * What happens before each node. Nodes of a chain that learn nothing from others share one clock, so memory is needed only
 * where chains meet. Not thread-safe.
 */
final class Clocks implements Reach {

    private final Sequence sequence;
    private final Chains chains;
    private Clock[] clocks = {};

    /** Those of the pass before, for what this pass has not come to; {@code null} in the first one. */
    private Clock @Nullable [] before;

    /** How far this pass is, as a position in the sequence. */
    private int now;

    private final Predicate<Node> excluded;

    Clocks(Sequence sequence) {
        this(sequence, Chains.of(sequence.nodes()), node -> false);
    }

    private Clocks(Sequence sequence, Chains chains, Predicate<Node> excluded) {
        this.sequence = sequence;
        this.chains = chains;
        this.excluded = excluded;
    }

    /** Clocks of the same nodes, of which nothing is known, for runs in which a node and what comes after it does not happen. */
    Clocks without(Node node) {
        return new Clocks(sequence, chains, other -> isBefore(node, other));
    }

    /**
     * Go through all nodes once more.
     *
     * @param learned what a node is to learn besides what happened before it: a clock, or {@code null}. What it asks is
     *     answered by this pass for nodes that come earlier, and by the pass before for others. In the first pass,
     *     everything happens before those
     */
    void pass(Function<Node, @Nullable Clock> learned) {
        Node[] nodes = sequence.nodes();
        Clock.Memory memory = Clock.Memory.quarter();
        before = clocks.length == 0 ? null : clocks;
        clocks = new Clock[nodes.length];
        for (now = 0; now < nodes.length; now++) {
            Node node = nodes[now];
            clocks[node.number] = chains.clockOf(node, clocks, memory);
            Clock more = learned.apply(node);
            Clock clock = more == null ? clocks[node.number] : clocks[node.number].joined(more, memory);
            clocks[node.number] = before != null && clock.equals(before[node.number]) ? before[node.number] : clock;
        }
    }

    @Override
    public boolean isBefore(Node first, Node second) {
        if (before == null && isAhead(second)) {
            return sequence.positionOf(first) < sequence.positionOf(second);
        }
        int chain = chains.of(first);
        return chain == chains.of(second)
                ? chains.indexOf(first) < chains.indexOf(second)
                : clockOf(second).at(chain) >= chains.indexOf(first);
    }

    @Override
    public boolean isExcluded(Node node) {
        return excluded.test(node);
    }

    @Override
    public int chainOf(Node node) {
        return chains.of(node);
    }

    @Override
    public int indexOf(Node node) {
        return chains.indexOf(node);
    }

    @Override
    public Clock clockAfter(Node node) {
        return clockOf(node).raised(chains.of(node), chains.indexOf(node), Clock.Memory.unlimited());
    }

    private Clock clockOf(Node node) {
        return isAhead(node) ? Objects.requireNonNull(before)[node.number] : clocks[node.number];
    }

    private boolean isAhead(Node node) {
        return sequence.positionOf(node) > now;
    }
}
