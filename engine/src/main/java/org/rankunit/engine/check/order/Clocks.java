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

    private static final int[] NONE = {};

    /** What clocks may take of the memory of this JVM, in bytes. */
    private static final long MOST_BYTES = Runtime.getRuntime().maxMemory() / 4;

    private final Sequence sequence;
    private final int[] chains;
    private final int[] indices;
    private int[][] clocks = {};

    /** Those of the pass before, for what this pass has not come to; {@code null} in the first one. */
    private int @Nullable [][] before;

    /** How far this pass is, as a position in the sequence. */
    private int now;

    /** What the clocks of this pass take. */
    private long bytes;

    Clocks(Sequence sequence) {
        this.sequence = sequence;
        int count = sequence.nodes().length;
        this.chains = new int[count];
        this.indices = new int[count];
        divide();
    }

    /** Append each node to the chain of something before it that has no other successor yet, or begin a chain. */
    private void divide() {
        Node[] nodes = sequence.nodes();
        boolean[] followed = new boolean[nodes.length];
        int count = 0;
        for (Node node : nodes) {
            Node last = null;
            for (Node earlier : node.before) {
                if (!followed[earlier.number] && (last == null || isOfSameActor(earlier, node))) {
                    last = earlier;
                }
            }
            if (last == null) {
                chains[node.number] = count++;
                indices[node.number] = 1;
            } else {
                followed[last.number] = true;
                chains[node.number] = chains[last.number];
                indices[node.number] = indices[last.number] + 1;
            }
        }
    }

    private static boolean isOfSameActor(Node a, Node b) {
        return a.rank == b.rank
                && a.event != null
                && b.event != null
                && a.event.at().actor() == b.event.at().actor();
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
        bytes = 0;
        for (now = 0; now < nodes.length; now++) {
            Node node = nodes[now];
            clocks[node.number] = joined(node);
            int[] more = learned.apply(node);
            if (more != null) {
                clocks[node.number] = join(clocks[node.number], more, chains[node.number]);
            }
            require(clocks[node.number], node);
        }
    }

    private void require(int[] clock, Node node) {
        for (Node earlier : node.before) {
            if (clocks[earlier.number] == clock) {
                return; // shared
            }
        }
        bytes += (long) clock.length * Integer.BYTES;
        if (bytes > MOST_BYTES) {
            throw new IllegalStateException("what happened before what takes more than " + (MOST_BYTES >> 20)
                    + " MiB, a quarter of the memory of this JVM; give it more (-Xmx)");
        }
    }

    private int[] joined(Node node) {
        int own = chains[node.number];
        int[] clock = NONE;
        for (Node earlier : node.before) {
            if (chains[earlier.number] == own && clock == NONE) {
                clock = clocks[earlier.number];
            }
        }
        for (Node earlier : node.before) {
            clock = join(clock, clocks[earlier.number], own);
            int chain = chains[earlier.number];
            if (chain != own && at(clock, chain) < indices[earlier.number]) {
                clock = raised(clock, chain, indices[earlier.number]);
            }
        }
        return clock;
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
        int chain = chains[first.number];
        if (before == null && isAhead(second)) {
            return sequence.positionOf(first) < sequence.positionOf(second);
        }
        return chain == chains[second.number]
                ? indices[first.number] < indices[second.number]
                : at(clockOf(second), chain) >= indices[first.number];
    }

    @Override
    public int chainOf(Node node) {
        return chains[node.number];
    }

    @Override
    public int indexOf(Node node) {
        return indices[node.number];
    }

    @Override
    public int[] clockAfter(Node node) {
        int[] clock = clockOf(node);
        int chain = chains[node.number];
        return raised(clock, chain, indices[node.number]);
    }

    private int[] clockOf(Node node) {
        return isAhead(node) ? Objects.requireNonNull(before)[node.number] : clocks[node.number];
    }

    private boolean isAhead(Node node) {
        return sequence.positionOf(node) > now;
    }
}
