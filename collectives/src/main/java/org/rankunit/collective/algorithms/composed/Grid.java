package org.rankunit.collective.algorithms.composed;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.Slice;

/**
 * Where ranks are in several levels: a rank is {@code c0 + s0 * (c1 + s1 * (c2 + ...))} with coordinates {@code c} and sizes {@code s}.
 *
 * @param sizes of the levels, that of a server first
 */
record Grid(List<Integer> sizes) {

    Grid {
        sizes = List.copyOf(sizes);
    }

    /** The outermost level. */
    int last() {
        return sizes.size() - 1;
    }

    int coordinate(int rank, int level) {
        return rank / stride(level) % sizes.get(level);
    }

    /** How many ranks there are in one unit of a level. */
    int stride(int level) {
        return sizes.subList(0, level).stream().reduce(1, (one, other) -> one * other);
    }

    /** The ranks that differ from this one in the coordinate of this level alone, and the rank itself. */
    List<Integer> group(int rank, int level) {
        int stride = stride(level);
        int first = rank - coordinate(rank, level) * stride;
        return IntStream.range(0, sizes.get(level))
                .mapToObj(k -> first + k * stride)
                .toList();
    }

    /** Whether two ranks have the same coordinates in all levels below this one. */
    boolean sameBelow(int one, int other, int level) {
        return one % stride(level) == other % stride(level);
    }

    /** The parts of the ranks that have the same coordinates as this one in all levels above this one; below the lowest one, its own. */
    Slice block(CollectiveCall call, int rank, int level) {
        int size = stride(level + 1);
        int first = rank / size * size;
        long from = call.partOf(first).from();
        return new Slice(from, call.partOf(first + size - 1).end() - from);
    }
}
