package org.rankunit.collective.verify.symmetry;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.collective.schedule.TooManyTasksException;
import org.rankunit.collective.verify.memory.Expressions;

/**
 * Expressions over the inputs of ranks, of which those that differ by a shift are one node. A number stands for a node and a shift of
 * it: that of the node times the number of ranks, plus the shift. Node 0 is the input of rank 0, so the input of rank r is number r.
 * All operands are at the same position.
 */
final class OrbitExpressions {

    private final Shifts shifts;
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Node, Integer> known = new HashMap<>();
    /** How many inputs each node has, at most one more than there are ranks. */
    private final List<Integer> sizes = new ArrayList<>();
    /** Nodes that have been found to have the input of each rank once. */
    private final BitSet complete = new BitSet();

    /** A reduction; the first operand is a node that is not shifted. */
    private record Node(int left, int right) {}

    OrbitExpressions(Shifts shifts) {
        this.shifts = shifts;
        nodes.add(new Node(0, 0));
        sizes.add(1);
    }

    int leaf(int rank) {
        return rank;
    }

    int shifted(int expression, int by) {
        if (expression == Expressions.UNWRITTEN) {
            return expression;
        }
        int shift = expression % shifts.ranks();
        return expression - shift + shifts.on(shift, by);
    }

    /** @throws TooManyTasksException if there are more nodes than numbers */
    int reduced(int left, int right) {
        int shift = left % shifts.ranks();
        Node wanted = new Node(left / shifts.ranks(), shifted(right, shifts.inverse(shift)));
        Integer node = known.get(wanted);
        if (node == null) {
            node = nodes.size();
            if (node >= Integer.MAX_VALUE / shifts.ranks()) {
                throw new TooManyTasksException(
                        "the results of " + shifts.ranks() + " ranks have more than " + node + " different reductions");
            }
            nodes.add(wanted);
            known.put(wanted, node);
            sizes.add(Math.min(shifts.ranks() + 1, sizes.get(wanted.left) + sizes.get(right / shifts.ranks())));
        }
        return node * shifts.ranks() + shift;
    }

    /** Whether the expression is the input of each rank once, reduced in any order. */
    boolean isAllOnce(int expression) {
        int ranks = shifts.ranks();
        if (expression == Expressions.UNWRITTEN || sizes.get(expression / ranks) != ranks) {
            return false;
        }
        int start = expression / ranks;
        if (complete.get(start)) {
            return true;
        }
        BitSet found = new BitSet(ranks);
        List<Integer> open = new ArrayList<>(List.of(expression));
        while (!open.isEmpty()) {
            int each = open.remove(open.size() - 1);
            int shift = each % ranks;
            if (each < ranks) {
                found.set(each);
            } else {
                Node node = nodes.get(each / ranks);
                open.add(shifted(node.left * ranks, shift));
                open.add(shifted(node.right, shift));
            }
        }
        complete.set(start, found.cardinality() == ranks);
        return complete.get(start);
    }
}
