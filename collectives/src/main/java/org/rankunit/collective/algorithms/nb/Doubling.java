package org.rankunit.collective.algorithms.nb;

import java.util.List;
import java.util.function.IntFunction;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Span;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Slice;

/**
 * The steps of the algorithm: at distance d, d slices are exchanged, in the last step what is left. Slices that are neighbours are one
 * transfer.
 *
 * <p>Source: HCCL's nonuniform Bruck.
 */
final class Doubling {

    private final Orchestration self;
    private final BufferKind buffer;
    private final IntFunction<Slice> slices;

    /**
     * @param buffer in which the slices of all ranks lie
     * @param slices where each of the n slices lies in it
     */
    Doubling(Orchestration self, BufferKind buffer, IntFunction<Slice> slices) {
        this.self = self;
        this.buffer = buffer;
        this.slices = slices;
    }

    /** Each rank has its own slice; then all have all. */
    void gather() {
        int n = self.call().ranks();
        for (int distance = 1; distance < n; distance *= 2) {
            int before = Math.floorMod(self.rank() - distance, n);
            int count = Math.min(distance, n - distance);
            exchange(-distance, pieces(before, count), false);
        }
    }

    /** Each rank has all slices; then its own is the reduction of those of all ranks. */
    void reduceScatter() {
        int n = self.call().ranks();
        for (int distance = Integer.highestOneBit(Math.max(1, n - 1)); distance > 0 && n > 1; distance /= 2) {
            int count = Math.min(distance, n - distance);
            exchange(distance, pieces(self.rank(), count), true);
        }
    }

    /** Slices from this one downwards. */
    private List<Slice> pieces(int last, int count) {
        return Span.of(slices, self.call().ranks(), last - count + 1, count);
    }

    /** Read from the rank that is so far away. */
    private void exchange(int towards, List<Slice> pieces, boolean reduces) {
        int n = self.call().ranks();
        TaskStream main = self.main();
        Link from = self.link(Math.floorMod(self.rank() + towards, n));
        Link to = self.link(Math.floorMod(self.rank() - towards, n));
        main.txAck(to);
        main.rxAck(from);
        for (Slice piece : pieces) {
            Region theirs = self.buffer(buffer, from.peer()).part(piece);
            Region own = self.buffer(buffer).part(piece);
            if (reduces) {
                main.getReduce(from, theirs, own);
            } else {
                main.get(from, theirs, own);
            }
        }
        main.txDataSignal(from);
        main.rxDataSignal(to);
    }
}
