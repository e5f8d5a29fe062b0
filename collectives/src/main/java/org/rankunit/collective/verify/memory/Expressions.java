package org.rankunit.collective.verify.memory;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/**
 * What bytes hold, as expressions over the inputs of ranks. An expression is a number; equal expressions have equal numbers, so that
 * a long part of a buffer costs as little as a short one.
 *
 * <p>An expression is a function of a position: that of a leaf is the byte of a rank's input at the position; that of a reduction
 * applies the operation to two others, the second one at the position plus a distance.
 */
@API(status = INTERNAL, since = "0.1")
public final class Expressions {

    /** What unwritten memory holds. */
    public static final int UNWRITTEN = -1;

    private static final int NONE = -1;

    /** In place of the first rank, if inputs are not combined in the order of their ranks, or not at the same position. */
    private static final int NOT_IN_ORDER = -1;

    private static final int AT_OTHER_POSITIONS = -2;

    /** Words of a node, which lie side by side, as in {@link SymbolicBuffer}. */
    private static final int WORDS = 6;

    /** Both operands. */
    private static final int OPERANDS = 0;

    private static final int DISTANCE = 1;
    /** Sum of a random number for each leaf: equal for the same leaves in any order. */
    private static final int SUM = 2;
    /** How many leaves there are; a number that is equal for expressions of the same bits: operands can be exchanged. */
    private static final int COUNT_AND_CANONICAL = 3;
    /** The first and the last rank of leaves that are in ascending order without gaps. */
    private static final int FIRST_AND_LAST = 4;
    /** The newest reduction whose larger operand this is; the one before it of those with the same larger operand. */
    private static final int NEWEST_AND_BEFORE = 5;

    private int size;
    private long[] nodes = new long[64 * WORDS];
    private final int ranks;
    /** Of the leaves of all ranks. */
    private final long sumOfAll;

    /** Make the leaves of all ranks. */
    public Expressions(int ranks) {
        this.ranks = ranks;
        long all = 0;
        for (int rank = 0; rank < ranks; rank++) {
            int leaf = add(NONE, rank, 0);
            set(leaf, SUM, mixed(rank));
            set(leaf, COUNT_AND_CANONICAL, both(1, leaf));
            set(leaf, FIRST_AND_LAST, both(rank, rank));
            all += word(leaf, SUM);
        }
        this.sumOfAll = all;
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long value) {
        long z = (value + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long both(int high, int low) {
        return (long) high << Integer.SIZE | Integer.toUnsignedLong(low);
    }

    private long word(int node, int word) {
        return nodes[node * WORDS + word];
    }

    private int high(int node, int word) {
        return (int) (word(node, word) >> Integer.SIZE);
    }

    private int low(int node, int word) {
        return (int) word(node, word);
    }

    private void set(int node, int word, long value) {
        nodes[node * WORDS + word] = value;
    }

    /** The input of a rank. */
    public int leaf(int rank) {
        return rank;
    }

    /**
     * Get the expression of a reduction.
     *
     * @param distance the second operand is taken so many bytes further
     */
    public int reduced(int left, int right, long distance) {
        int known = find(left, right, distance);
        if (known != NONE) {
            return known;
        }
        int node = add(left, right, distance);
        int larger = Math.max(left, right);
        set(node, NEWEST_AND_BEFORE, both(NONE, high(larger, NEWEST_AND_BEFORE)));
        set(larger, NEWEST_AND_BEFORE, both(node, low(larger, NEWEST_AND_BEFORE)));
        set(node, SUM, word(left, SUM) + word(right, SUM));
        set(node, FIRST_AND_LAST, firstAndLast(left, right, distance));
        int count = high(left, COUNT_AND_CANONICAL) + high(right, COUNT_AND_CANONICAL);
        int one = low(left, COUNT_AND_CANONICAL);
        int other = low(right, COUNT_AND_CANONICAL);
        int canonical = node;
        if (distance == 0 && (one != left || other != right || one > other)) {
            canonical = low(reduced(Math.min(one, other), Math.max(one, other), 0), COUNT_AND_CANONICAL);
        }
        set(node, COUNT_AND_CANONICAL, both(count, canonical));
        return node;
    }

    private long firstAndLast(int left, int right, long distance) {
        int first = high(left, FIRST_AND_LAST);
        int second = high(right, FIRST_AND_LAST);
        if (distance != 0 || first == AT_OTHER_POSITIONS || second == AT_OTHER_POSITIONS) {
            return both(AT_OTHER_POSITIONS, 0);
        }
        boolean ordered = first >= 0 && second >= 0 && low(left, FIRST_AND_LAST) + 1 == second;
        return ordered ? both(first, low(right, FIRST_AND_LAST)) : both(NOT_IN_ORDER, 0);
    }

    /** Few reductions have the same larger operand, and it was used a moment ago: a hash would lead to an unused place. */
    private int find(int left, int right, long distance) {
        int node = high(Math.max(left, right), NEWEST_AND_BEFORE);
        while (node != NONE && (word(node, OPERANDS) != both(left, right) || word(node, DISTANCE) != distance)) {
            node = low(node, NEWEST_AND_BEFORE);
        }
        return node;
    }

    private int add(int left, int right, long distance) {
        if ((size + 1) * WORDS > nodes.length) {
            nodes = Arrays.copyOf(nodes, Math.multiplyExact(2, nodes.length));
        }
        set(size, OPERANDS, both(left, right));
        set(size, DISTANCE, distance);
        set(size, NEWEST_AND_BEFORE, both(NONE, NONE));
        return size++;
    }

    /** Whether the expression is the input of each rank once, reduced in any order. */
    public boolean isAllOnce(int node) {
        return node >= 0
                && high(node, COUNT_AND_CANONICAL) == ranks
                && word(node, SUM) == sumOfAll
                && !isOfOtherPositions(node);
    }

    /** Whether the operation is applied to the inputs in the order of their ranks. */
    public boolean isInRankOrder(int node) {
        return high(node, FIRST_AND_LAST) >= 0;
    }

    /** Whether both expressions always have the same bits. */
    public boolean sameBits(int one, int other) {
        return one == other
                || (one >= 0 && other >= 0 && low(one, COUNT_AND_CANONICAL) == low(other, COUNT_AND_CANONICAL));
    }

    /** Describe an expression for people: which inputs it contains, or how often if not once. */
    public String describe(int node) {
        if (node == UNWRITTEN) {
            return "nothing that was written";
        }
        int[] times = times(node);
        StringBuilder text = new StringBuilder();
        int distinct = (int) Arrays.stream(times).filter(each -> each > 0).count();
        text.append(
                distinct == 1 && high(node, COUNT_AND_CANONICAL) == 1 ? "the input of rank" : "the inputs of ranks");
        String separator = " ";
        int shown = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (times[rank] > 0 && shown++ < 16) {
                text.append(separator).append(rank).append(times[rank] > 1 ? " (" + times[rank] + " times)" : "");
                separator = ", ";
            }
        }
        text.append(shown > 16 ? " and " + (shown - 16) + " more" : "");
        return text.append(isOfOtherPositions(node) ? ", from different positions" : "")
                .toString();
    }

    /** How often an expression contains the input of each rank; never for unwritten memory. */
    public int[] times(int node) {
        int[] times = new int[ranks];
        if (node != UNWRITTEN) {
            count(node, times);
        }
        return times;
    }

    /** Whether the expression combines inputs at different positions. */
    public boolean isOfOtherPositions(int node) {
        return node >= 0 && high(node, FIRST_AND_LAST) == AT_OTHER_POSITIONS;
    }

    /** Without recursion on the left, since the tree of a ring is as deep as there are ranks. */
    private void count(int start, int[] times) {
        int[] open = new int[] {start};
        int left = 1;
        while (left > 0) {
            int node = open[--left];
            if (high(node, OPERANDS) < 0) {
                times[node]++;
                continue;
            }
            if (left + 2 > open.length) {
                open = Arrays.copyOf(open, 2 * open.length + 2);
            }
            open[left++] = high(node, OPERANDS);
            open[left++] = low(node, OPERANDS);
        }
    }
}
