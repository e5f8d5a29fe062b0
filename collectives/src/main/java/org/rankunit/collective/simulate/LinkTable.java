package org.rankunit.collective.simulate;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.RandomAccess;

/** What each link has carried, in packed arrays: an open hash table while it is filled, then a list, the busiest link first. */
final class LinkTable {

    private static final long NONE = -1;
    private static final int HALF = 32;

    private int size;
    private long[] keys = empty(64);
    private long[] bytes = new long[64];
    private double[] seconds = new double[64];

    private static long[] empty(int length) {
        long[] array = new long[length];
        Arrays.fill(array, NONE);
        return array;
    }

    void add(int from, int to, long carried, double occupied) {
        int at = place(((long) from << HALF) | to);
        if (keys[at] == NONE) {
            if (2 * size >= keys.length) {
                grow();
                at = place(((long) from << HALF) | to);
            }
            keys[at] = ((long) from << HALF) | to;
            size++;
        }
        bytes[at] += carried;
        seconds[at] += occupied;
    }

    private int place(long key) {
        int at = (int) ((key * 0x9E3779B97F4A7C15L) >>> HALF) & (keys.length - 1);
        while (keys[at] != NONE && keys[at] != key) {
            at = (at + 1) & (keys.length - 1);
        }
        return at;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldBytes = bytes;
        double[] oldSeconds = seconds;
        keys = empty(2 * oldKeys.length);
        bytes = new long[keys.length];
        seconds = new double[keys.length];
        for (int old = 0; old < oldKeys.length; old++) {
            if (oldKeys[old] != NONE) {
                int at = place(oldKeys[old]);
                keys[at] = oldKeys[old];
                bytes[at] = oldBytes[old];
                seconds[at] = oldSeconds[old];
            }
        }
    }

    /** Get all links; nothing is added later. */
    Uses uses(double whole) {
        int[] order = new int[size];
        int next = 0;
        for (int at = 0; at < keys.length; at++) {
            if (keys[at] != NONE) {
                order[next++] = at;
            }
        }
        sort(order, new int[size], 0, size);
        return new Uses(order, whole);
    }

    /** Merge sort: the busiest link first; of equal ones, the one of the smallest ranks. */
    private void sort(int[] order, int[] spare, int from, int to) {
        if (to - from < 2) {
            return;
        }
        int middle = (from + to) >>> 1;
        sort(order, spare, from, middle);
        sort(order, spare, middle, to);
        System.arraycopy(order, from, spare, from, to - from);
        int left = from;
        int right = middle;
        for (int at = from; at < to; at++) {
            boolean takesLeft = right == to || (left < middle && isBefore(spare[left], spare[right]));
            order[at] = takesLeft ? spare[left++] : spare[right++];
        }
    }

    private boolean isBefore(int one, int other) {
        return seconds[one] > seconds[other] || (seconds[one] == seconds[other] && keys[one] < keys[other]);
    }

    /** The links; each is made when it is asked for. */
    final class Uses extends AbstractList<LinkUse> implements RandomAccess {

        private final int[] order;
        private final double whole;

        private Uses(int[] order, double whole) {
            this.order = order;
            this.whole = whole;
        }

        @Override
        public LinkUse get(int index) {
            int at = order[index];
            return new LinkUse(
                    (int) (keys[at] >>> HALF), (int) keys[at], bytes[at], whole == 0 ? 0 : seconds[at] / whole);
        }

        @Override
        public int size() {
            return order.length;
        }
    }
}
