package org.rankunit.engine.check.order;

import java.util.Collection;
import java.util.List;
import org.rankunit.engine.timeline.order.Node;
import org.rankunit.engine.timeline.order.Pair;

/** A sequence of all nodes in which each comes after everything that happened before it in this run. Immutable. */
final class Sequence {

    private final Node[] nodes;
    private final int[] positions;

    private Sequence(Node[] nodes, int[] positions) {
        this.nodes = nodes;
        this.positions = positions;
    }

    /**
     * Arrange nodes, whose numbers are their indices.
     *
     * @param seen what happened in this order besides
     * @throws IllegalStateException if something happened before itself
     */
    static Sequence of(List<Node> nodes, Collection<Pair> seen) {
        int count = nodes.size();
        int[] missing = new int[count];
        int[] begins = new int[count + 1];
        for (Node node : nodes) {
            missing[node.number] = node.before.size();
            node.before.forEach(before -> begins[before.number + 1]++);
        }
        for (Pair pair : seen) {
            missing[pair.after().number]++;
            begins[pair.before().number + 1]++;
        }
        for (int i = 0; i < count; i++) {
            begins[i + 1] += begins[i];
        }
        Node[] after = new Node[begins[count]];
        int[] filled = begins.clone();
        for (Node node : nodes) {
            node.before.forEach(before -> after[filled[before.number]++] = node);
        }
        seen.forEach(pair -> after[filled[pair.before().number]++] = pair.after());
        return sorted(nodes, missing, begins, after);
    }

    private static Sequence sorted(List<Node> nodes, int[] missing, int[] begins, Node[] after) {
        Node[] sorted = new Node[nodes.size()];
        int[] positions = new int[nodes.size()];
        int ready = 0;
        for (Node node : nodes) {
            if (missing[node.number] == 0) {
                sorted[ready++] = node;
            }
        }
        for (int done = 0; done < ready; done++) {
            int number = sorted[done].number;
            positions[number] = done;
            for (int i = begins[number]; i < begins[number + 1]; i++) {
                if (--missing[after[i].number] == 0) {
                    sorted[ready++] = after[i];
                }
            }
        }
        if (ready < sorted.length) {
            throw new IllegalStateException("the events of the ranks contradict each other: " + (sorted.length - ready)
                    + " of " + sorted.length + " happened before themselves");
        }
        return new Sequence(sorted, positions);
    }

    Node[] nodes() {
        return nodes;
    }

    int positionOf(Node node) {
        return positions[node.number];
    }
}
