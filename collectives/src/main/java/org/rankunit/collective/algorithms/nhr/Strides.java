package org.rankunit.collective.algorithms.nhr;

import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Slice;

/**
 * The steps of the algorithm. With n ranks and a distance d, (n - 1 + d) / 2d slices are exchanged, 2d apart.
 *
 * <p>Source: HCCL's nonuniform hierarchical ring, with slices in their own order.
 */
final class Strides {

    private final Orchestration self;
    private final BufferKind buffer;
    private final IntFunction<Slice> slices;

    /**
     * @param buffer in which the slices of all ranks lie
     * @param slices where each of the n slices lies in it
     */
    Strides(Orchestration self, BufferKind buffer, IntFunction<Slice> slices) {
        this.self = self;
        this.buffer = buffer;
        this.slices = slices;
    }

    /** Each rank has its own slice; then all have all. */
    void gather() {
        gather(slice -> true);
    }

    /**
     * Each rank has its own slice, and those that it does not need; then all have all.
     *
     * @param needed whether this rank reads the slice of a rank
     */
    void gather(IntPredicate needed) {
        int n = self.call().ranks();
        for (int distance = Integer.highestOneBit(Math.max(1, n - 1)); distance > 0 && n > 1; distance /= 2) {
            exchange(-distance, distance, false, needed);
        }
    }

    /** Each rank has all slices; then its own is the reduction of those of all ranks. */
    void reduceScatter() {
        int n = self.call().ranks();
        for (int distance = 1; distance < n; distance *= 2) {
            exchange(distance, distance, true, slice -> true);
        }
    }

    /** Read from the rank that is so far away. */
    private void exchange(int towards, int distance, boolean reduces, IntPredicate needed) {
        int n = self.call().ranks();
        TaskStream main = self.main();
        Link from = self.link(Math.floorMod(self.rank() + towards, n));
        Link to = self.link(Math.floorMod(self.rank() - towards, n));
        main.txAck(to);
        main.rxAck(from);
        int first = reduces ? self.rank() : from.peer();
        for (int i = 0; i < (n - 1 + distance) / (2 * distance); i++) {
            int number = Math.floorMod(first - i * 2 * distance, n);
            if (!needed.test(number)) {
                continue;
            }
            Slice slice = slices.apply(number);
            Region theirs = self.buffer(buffer, from.peer()).part(slice);
            Region own = self.buffer(buffer).part(slice);
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
