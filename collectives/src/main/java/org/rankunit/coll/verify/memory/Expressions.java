package org.rankunit.coll.verify.memory;

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

    /** What memory holds that nobody has written. */
    public static final int UNWRITTEN = -1;

    private static final int FREE = -1;

    private int size;
    private int[] lefts = new int[64];
    private int[] rights = new int[64];
    private long[] distances = new long[64];
    /** How many leaves there are. */
    private int[] counts = new int[64];
    /** Sum of a random number for each leaf: equal for the same leaves in any order. */
    private long[] sums = new long[64];
    /** The first and the last rank if all leaves are in ascending order without gaps; otherwise -1. */
    private int[] firsts = new int[64];

    private int[] lasts = new int[64];
    /** Equal for expressions that have the same bits, since both operands of an operation can be exchanged. */
    private int[] canonicals = new int[64];

    private boolean[] atOtherPositions = new boolean[64];

    private int[] table = empty(256);
    private final int ranks;
    /** Of the leaves of all ranks. */
    private final long sumOfAll;

    /** Make the leaves of all ranks. */
    public Expressions(int ranks) {
        this.ranks = ranks;
        long all = 0;
        for (int rank = 0; rank < ranks; rank++) {
            int leaf = add(-1, rank, 0);
            counts[leaf] = 1;
            sums[leaf] = mixed(rank);
            firsts[leaf] = rank;
            lasts[leaf] = rank;
            canonicals[leaf] = leaf;
            all += sums[leaf];
        }
        this.sumOfAll = all;
    }

    private static int[] empty(int length) {
        int[] table = new int[length];
        Arrays.fill(table, FREE);
        return table;
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long value) {
        long z = (value + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
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
        if (known != FREE) {
            return known;
        }
        int node = add(left, right, distance);
        counts[node] = counts[left] + counts[right];
        sums[node] = sums[left] + sums[right];
        atOtherPositions[node] = distance != 0 || atOtherPositions[left] || atOtherPositions[right];
        boolean ordered = firsts[left] >= 0 && firsts[right] >= 0 && lasts[left] + 1 == firsts[right];
        firsts[node] = ordered ? firsts[left] : -1;
        lasts[node] = ordered ? lasts[right] : -1;
        canonicals[node] = node;
        int one = canonicals[left];
        int other = canonicals[right];
        if (distance == 0 && (one != left || other != right || one > other)) {
            int sorted = reduced(Math.min(one, other), Math.max(one, other), 0);
            canonicals[node] = canonicals[sorted];
        }
        return node;
    }

    private int find(int left, int right, long distance) {
        int at = place(left, right, distance);
        while (table[at] != FREE) {
            int node = table[at];
            if (lefts[node] == left && rights[node] == right && distances[node] == distance) {
                return node;
            }
            at = (at + 1) & (table.length - 1);
        }
        return FREE;
    }

    private int place(int left, int right, long distance) {
        return (int) mixed(left * 0x100000001L + ((long) right << 20) + distance * 31) & (table.length - 1);
    }

    private int add(int left, int right, long distance) {
        if (size == lefts.length) {
            grow();
        }
        lefts[size] = left;
        rights[size] = right;
        distances[size] = distance;
        insert(size);
        return size++;
    }

    private void insert(int node) {
        int at = place(lefts[node], rights[node], distances[node]);
        while (table[at] != FREE) {
            at = (at + 1) & (table.length - 1);
        }
        table[at] = node;
    }

    private void grow() {
        int length = 2 * size;
        lefts = Arrays.copyOf(lefts, length);
        rights = Arrays.copyOf(rights, length);
        distances = Arrays.copyOf(distances, length);
        counts = Arrays.copyOf(counts, length);
        sums = Arrays.copyOf(sums, length);
        firsts = Arrays.copyOf(firsts, length);
        lasts = Arrays.copyOf(lasts, length);
        canonicals = Arrays.copyOf(canonicals, length);
        atOtherPositions = Arrays.copyOf(atOtherPositions, length);
        table = empty(4 * length);
        for (int node = 0; node < size; node++) {
            insert(node);
        }
    }

    /** Whether the expression is the input of each rank once, reduced in any order. */
    public boolean isAllOnce(int node) {
        return node >= 0 && counts[node] == ranks && sums[node] == sumOfAll && !atOtherPositions[node];
    }

    /** Whether the operation is applied to the inputs in the order of their ranks. */
    public boolean isInRankOrder(int node) {
        return firsts[node] >= 0;
    }

    /** Whether both expressions always have the same bits. */
    public boolean sameBits(int one, int other) {
        return one == other || (one >= 0 && other >= 0 && canonicals[one] == canonicals[other]);
    }

    /** Describe an expression for people: which inputs it contains, or how often if not once. */
    public String describe(int node) {
        if (node == UNWRITTEN) {
            return "nothing that was written";
        }
        int[] times = times(node);
        StringBuilder text = new StringBuilder();
        int distinct = (int) Arrays.stream(times).filter(each -> each > 0).count();
        text.append(distinct == 1 && counts[node] == 1 ? "the input of rank" : "the inputs of ranks");
        String separator = " ";
        int shown = 0;
        for (int rank = 0; rank < ranks; rank++) {
            if (times[rank] > 0 && shown++ < 16) {
                text.append(separator).append(rank).append(times[rank] > 1 ? " (" + times[rank] + " times)" : "");
                separator = ", ";
            }
        }
        text.append(shown > 16 ? " and " + (shown - 16) + " more" : "");
        return text.append(atOtherPositions[node] ? ", from different positions" : "")
                .toString();
    }

    /** How often an expression contains the input of each rank; never for memory that nobody has written. */
    public int[] times(int node) {
        int[] times = new int[ranks];
        if (node != UNWRITTEN) {
            count(node, times);
        }
        return times;
    }

    /** Whether the expression combines inputs at different positions. */
    public boolean isOfOtherPositions(int node) {
        return node >= 0 && atOtherPositions[node];
    }

    /** Without recursion on the left, since the tree of a ring is as deep as there are ranks. */
    private void count(int start, int[] times) {
        int[] open = new int[] {start};
        int left = 1;
        while (left > 0) {
            int node = open[--left];
            if (lefts[node] < 0) {
                times[node]++;
                continue;
            }
            if (left + 2 > open.length) {
                open = Arrays.copyOf(open, 2 * open.length + 2);
            }
            open[left++] = lefts[node];
            open[left++] = rights[node];
        }
    }
}
