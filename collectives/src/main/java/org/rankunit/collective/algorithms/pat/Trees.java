package org.rankunit.collective.algorithms.pat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Slice;

/**
 * The exchanges of the algorithm. Each slice goes down a binomial tree that begins at its rank; the rank o after that one gets it from the one
 * that is nearer by the lowest bit of o. All ranks do the same at the same time.
 *
 * <p>Edges of the same length are one exchange, the longest ones first, while these are few enough slices. Below that length, edges are done
 * one after the other, each for all subtrees that hang at longer edges.
 *
 * <p>Source: NCCL 2.23; Jeaugey, "PAT: a new algorithm for all-gather and reduce-scatter operations at scale", 2025.
 */
final class Trees {

    private final Orchestration self;
    private final BufferKind buffer;
    private final IntFunction<Slice> slices;
    private final List<Exchange> exchanges;

    /**
     * Slices that go on by as much in one exchange.
     *
     * @param length to the rank that gets them
     * @param first how far they have come, the nearest one
     * @param stride between one and the next
     */
    private record Exchange(int length, int first, int stride) {}

    /**
     * @param most slices in one exchange
     * @param buffer in which the slices of all ranks lie
     * @param slices where each of the n slices lies in it
     */
    Trees(Orchestration self, int most, BufferKind buffer, IntFunction<Slice> slices) {
        this.self = self;
        this.buffer = buffer;
        this.slices = slices;
        this.exchanges = exchanges(self.call().ranks(), most);
    }

    private static List<Exchange> exchanges(int n, int most) {
        List<Exchange> exchanges = new ArrayList<>();
        int length = Integer.highestOneBit(Math.max(1, n - 1));
        while (length > 1 && (n + length - 1) / length <= most) {
            exchanges.add(new Exchange(length, 0, 2 * length));
            length /= 2;
        }
        addBelow(exchanges, n, 0, length, 2 * length);
        return exchanges;
    }

    /** Go down to all that a slice reaches from where it is, the longest way first. */
    private static void addBelow(List<Exchange> exchanges, int n, int first, int longest, int stride) {
        for (int length = longest; length > 0; length /= 2) {
            if (first + length < n) {
                exchanges.add(new Exchange(length, first, stride));
                addBelow(exchanges, n, first + length, length / 2, stride);
            }
        }
    }

    /** Each rank has its own slice; then all have all. */
    void gather() {
        for (Exchange each : exchanges) {
            run(each, false);
        }
    }

    /** Each rank has all slices; then its own is the reduction of those of all ranks. */
    void reduceScatter() {
        List<Exchange> backwards = new ArrayList<>(exchanges);
        Collections.reverse(backwards);
        for (Exchange each : backwards) {
            run(each, true);
        }
    }

    /** Read from the rank before this one; backwards, from the one after it. */
    private void run(Exchange exchange, boolean backwards) {
        int n = self.call().ranks();
        int rank = self.rank();
        int before = Math.floorMod(rank - exchange.length, n);
        int after = (rank + exchange.length) % n;
        TaskStream main = self.main();
        Link from = self.link(backwards ? after : before);
        Link to = self.link(backwards ? before : after);
        main.txAck(to);
        main.rxAck(from);
        for (int come = exchange.first; come + exchange.length < n; come += exchange.stride) {
            Slice slice = slices.apply(Math.floorMod((backwards ? rank : before) - come, n));
            Region theirs = self.buffer(buffer, from.peer()).part(slice);
            Region own = self.buffer(buffer).part(slice);
            if (backwards) {
                main.getReduce(from, theirs, own);
            } else {
                main.get(from, theirs, own);
            }
        }
        main.txDataSignal(from);
        main.rxDataSignal(to);
    }
}
