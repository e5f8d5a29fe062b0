package org.rankunit.engine.timeline.order;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BiConsumer;

/** Finds ranges that overlap. Stateless. */
public final class Overlaps {

    private Overlaps() {}

    /** Bytes from an offset on. */
    public interface Range {

        long offset();

        long bytes();

        default long end() {
            return offset() + bytes();
        }
    }

    /** Pass on each pair of ranges that overlap, the one that begins first as the first one. */
    public static <R extends Range> void forEach(List<R> ranges, BiConsumer<R, R> receiver) {
        List<R> byOffset = new ArrayList<>(ranges);
        byOffset.sort(Comparator.comparingLong(Range::offset));
        PriorityQueue<R> open = new PriorityQueue<>(Comparator.comparingLong(Range::end));
        for (R range : byOffset) {
            while (!open.isEmpty() && open.element().end() <= range.offset()) {
                open.remove();
            }
            for (R other : open) {
                receiver.accept(other, range);
            }
            if (range.bytes() > 0) {
                open.add(range);
            }
        }
    }
}
