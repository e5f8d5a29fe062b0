package org.rankunit.engine.timeline.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each slice a row of its lane so that the slices of a row nest, as viewers require. More than one row is needed
 * where several threads of the host work at the same time.
 */
final class Rows {

    /** The outer one of two slices that begin at the same time comes first. */
    static final Comparator<Slice> ORDER = Comparator.comparingLong(Slice::begin)
            .thenComparing(Comparator.comparingLong(Slice::end).reversed());

    private Rows() {}

    /** Returns the slices for which there is a row, in order. */
    static List<Slice> assign(List<Slice> slices) {
        List<Slice> sorted = new ArrayList<>(slices);
        sorted.sort(ORDER);
        Map<Lane, List<Deque<Slice>>> rows = new HashMap<>();
        for (Slice slice : sorted) {
            place(slice, rows.computeIfAbsent(slice.lane(), lane -> new ArrayList<>()));
        }
        sorted.removeIf(slice -> !slice.isShown());
        return sorted;
    }

    private static void place(Slice slice, List<Deque<Slice>> rows) {
        for (int row = 0; row < slice.lane().mostRows(); row++) {
            if (row == rows.size()) {
                rows.add(new ArrayDeque<>());
            }
            Deque<Slice> around = rows.get(row);
            while (!around.isEmpty() && around.peek().end() <= slice.begin()) {
                around.pop();
            }
            if (around.isEmpty() || (!slice.lane().isFlat() && around.peek().end() >= slice.end())) {
                around.push(slice);
                slice.row(row);
                return;
            }
        }
    }
}
