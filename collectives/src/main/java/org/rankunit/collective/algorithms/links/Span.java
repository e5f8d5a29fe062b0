package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apiguardian.api.API;
import org.rankunit.collective.call.Slice;

/** The slices of consecutive ranks, modulo n, as one piece or two. */
@API(status = INTERNAL, since = "0.1")
public final class Span {

    private Span() {}

    /**
     * Join slices that are neighbours.
     *
     * @param slices where each of the n slices lies, one after the other
     * @param n how many there are
     * @param first any number; it is taken modulo n
     * @param count from 0 to n
     */
    public static List<Slice> of(IntFunction<Slice> slices, int n, int first, int count) {
        List<Slice> pieces = new ArrayList<>();
        int start = Math.floorMod(first, n);
        int beforeEnd = Math.min(count, n - start);
        add(pieces, slices, start, beforeEnd);
        add(pieces, slices, 0, count - beforeEnd);
        return pieces;
    }

    private static void add(List<Slice> pieces, IntFunction<Slice> slices, int first, int count) {
        if (count > 0) {
            long from = slices.apply(first).from();
            pieces.add(new Slice(from, slices.apply(first + count - 1).end() - from));
        }
    }
}
