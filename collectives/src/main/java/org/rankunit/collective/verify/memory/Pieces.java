package org.rankunit.collective.verify.memory;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.Arrays;
import org.apiguardian.api.API;

/** What a task has read, in pieces; positions count from its first byte. Used again and again. */
@API(status = INTERNAL, since = "0.1")
public final class Pieces {

    private int size;
    private long[] offsets = new long[16];
    private int[] expressions = new int[16];
    private long[] shifts = new long[16];

    public void clear() {
        size = 0;
    }

    /**
     * Add a piece, or make the last one longer if both are one.
     *
     * @param shift what is added to the offset to get the position of the expression
     */
    void add(long offset, int expression, long shift) {
        if (size > 0 && expressions[size - 1] == expression && shifts[size - 1] == shift) {
            return;
        }
        append(offset, expression, shift);
    }

    /** Add a piece that begins at this offset. */
    public void append(long offset, int expression, long shift) {
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

    public int size() {
        return size;
    }

    public long offset(int piece) {
        return offsets[piece];
    }

    public int expression(int piece) {
        return expressions[piece];
    }

    public long shift(int piece) {
        return shifts[piece];
    }
}
