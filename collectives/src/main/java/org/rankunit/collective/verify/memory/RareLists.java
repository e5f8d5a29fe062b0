package org.rankunit.collective.verify.memory;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A list for each part of a buffer, where most buffers have none: then it takes no memory. Lists are never changed. */
final class RareLists {

    /** Null until there is one. */
    private long @Nullable [] @Nullable [] lists;

    long @Nullable [] of(int part) {
        return lists == null ? null : lists[part];
    }

    /** @param length for how many parts the buffer has room */
    void set(int part, long[] list, int length) {
        if (lists == null) {
            lists = new long[length][];
        }
        lists[part] = list;
    }

    void clear(int part) {
        if (lists != null) {
            lists[part] = null;
        }
    }

    void copy(int from, int to) {
        if (lists != null) {
            lists[to] = lists[from];
        }
    }

    void makeRoom(int length) {
        if (lists != null) {
            lists = Arrays.copyOf(lists, length);
        }
    }

    void move(int from, int to, int count) {
        if (lists != null) {
            System.arraycopy(lists, from, lists, to, count);
        }
    }
}
