package org.rankunit.engine.check.order;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.rankunit.engine.timeline.order.Node;

/**
 * What happens before each node. Nodes of a chain that learn nothing from others share one array, so memory is needed only
 * where chains meet. Not thread-safe.
 */
final class Clocks implements Reach {

    /** What clocks may take of the memory of this JVM, in bytes. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private final Sequence sequence;
    private final Chains chains;
    private int[][] clocks = {};

    /** Those of the pass before, for what this pass has not come to; {@code null} in the first one. */
    private int @Nullable [][] before;

    /** How far this pass is, as a position in the sequence. */
    private int now;

    Clocks(Sequence sequence) {
        this.sequence = sequence;
        this.chains = Chains.of(sequence.nodes());
    }

    /**
     * Go through all nodes once more.
     *
     * @param learned what a node is to learn besides what happened before it: a clock, or {@code null}. What it asks is
     *     answered by this pass for nodes that come earlier, and by the pass before for others. In the first pass,
     *     everything happens before those
     */
    void pass(Function<Node, int @Nullable []> learned) {
        Node[] nodes = sequence.nodes();
        before = clocks.length == 0 ? null : clocks;
        clocks = new int[nodes.length][];
        long bytes = 0;
        for (now = 0; now < nodes.length; now++) {
            Node node = nodes[now];
            clocks[node.number] = chains.clockOf(node, clocks);
            int[] more = learned.apply(node);
            if (more != null) {
                clocks[node.number] = join(clocks[node.number], more, chains.of(node));
            }
            bytes = counted(bytes, clocks[node.number], node, clocks);
        }
    }

    /**
     * Count what the clock of a node takes.
     *
     * @param bytes what others take
     * @throws IllegalStateException if that is too much
     */
    static long counted(long bytes, int[] clock, Node node, int[][] clocks) {
        for (Node earlier : node.before) {
            if (clocks[earlier.number] == clock) {
                return bytes; // shared
            }
        }
        long all = bytes + (long) clock.length * Integer.BYTES;
        if (all > MOST_BYTES) {
            throw new IllegalStateException("what happened before what takes more than " + (MOST_BYTES >> 20)
                    + " MiB, a quarter of the memory of this JVM; give it more (-Xmx)");
        }
        return all;
    }

    /** The larger ones of two clocks, except for a chain; the first one itself if the second adds nothing to it. */
    private static int[] join(int[] clock, int[] other, int except) {
        if (clock == other) {
            return clock;
        }
        int[] joined = clock;
        for (int chain = 0; chain < other.length; chain++) {
            if (chain != except && other[chain] > at(joined, chain)) {
                if (joined == clock) {
                    joined = Arrays.copyOf(clock, Math.max(clock.length, other.length));
                }
                joined[chain] = other[chain];
            }
        }
        return joined;
    }

    private static int[] raised(int[] clock, int chain, int index) {
        int[] raised = Arrays.copyOf(clock, Math.max(clock.length, chain + 1));
        raised[chain] = index;
        return raised;
    }

    static int at(int[] clock, int chain) {
        return chain < clock.length ? clock[chain] : 0;
    }

    @Override
    public boolean isBefore(Node first, Node second) {
        if (before == null && isAhead(second)) {
            return sequence.positionOf(first) < sequence.positionOf(second);
        }
        int chain = chains.of(first);
        return chain == chains.of(second)
                ? chains.indexOf(first) < chains.indexOf(second)
                : at(clockOf(second), chain) >= chains.indexOf(first);
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
    public int[] clockAfter(Node node) {
        return raised(clockOf(node), chains.of(node), chains.indexOf(node));
    }

    private int[] clockOf(Node node) {
        return isAhead(node) ? Objects.requireNonNull(before)[node.number] : clocks[node.number];
    }

    private boolean isAhead(Node node) {
        return sequence.positionOf(node) > now;
    }
}
