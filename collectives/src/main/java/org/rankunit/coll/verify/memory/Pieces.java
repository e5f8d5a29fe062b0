package org.rankunit.coll.verify.memory;

import java.util.Arrays;

/** What a task has read, in pieces; positions count from its first byte. Used again and again. */
final class Pieces {

    private int size;
    private long[] offsets = new long[16];
    private int[] expressions = new int[16];
    private long[] shifts = new long[16];

    void clear() {
        size = 0;
    }

    /** @param shift what is added to the offset to get the position of the expression */
    void add(long offset, int expression, long shift) {
        if (size > 0 && expressions[size - 1] == expression && shifts[size - 1] == shift) {
            return;
        }
        if (size == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * size);
            expressions = Arrays.copyOf(expressions, 2 * size);
            shifts = Arrays.copyOf(shifts, 2 * size);
        }
        offsets[size] = offset;
        expressions[size] = expression;
        shifts[size] = shift;
        size++;
    }

    int size() {
        return size;
    }

    long offset(int piece) {
        return offsets[piece];
    }

    int expression(int piece) {
        return expressions[piece];
    }

    long shift(int piece) {
        return shifts[piece];
    }
}
