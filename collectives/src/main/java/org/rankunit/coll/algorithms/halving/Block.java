package org.rankunit.coll.algorithms.halving;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.Slice;

/**
 * The block of the largest power of two of ranks, and who is in it. If n is no power of two, each of the first ranks with an even
 * number stands for the next one too.
 *
 * <p>Source: HCCL's recursive halving and doubling.
 *
 * @param size of the block
 * @param folded ranks that another one stands for
 */
record Block(int size, int folded) {

    static Block of(int ranks) {
        int size = Integer.highestOneBit(ranks);
        return new Block(size, ranks - size);
    }

    boolean isFolded(int rank) {
        return rank < 2 * folded && rank % 2 == 1;
    }

    boolean standsForAnother(int rank) {
        return rank < 2 * folded && rank % 2 == 0;
    }

    /** The place of a rank in the block. */
    int place(int rank) {
        return rank < 2 * folded ? rank / 2 : rank - folded;
    }

    /** The rank at a place of the block. */
    int rank(int place) {
        return place < folded ? 2 * place : place + folded;
    }

    Resources resources(int rank) {
        if (isFolded(rank)) {
            return Resources.onMainStream(List.of(rank - 1));
        }
        List<Integer> links = new ArrayList<>();
        for (int distance = 1; distance < size; distance *= 2) {
            links.add(rank(place(rank) ^ distance));
        }
        if (standsForAnother(rank)) {
            links.add(rank + 1);
        }
        return Resources.onMainStream(links);
    }

    /**
     * Read parts of a partner's output into this rank's.
     *
     * @param distance of the places of both
     * @param first the first part, of as many as the block has ranks
     * @param end the first part after them
     * @param reduces whether they are reduced into this rank's
     */
    void exchange(Orchestration self, int distance, int first, int end, boolean reduces) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Link link = self.link(rank(place(self.rank()) ^ distance));
        long from = call.part(first, size).from();
        Slice parts = new Slice(from, call.part(end - 1, size).end() - from);
        Region theirs = self.buffer(BufferKind.OUTPUT, link.peer()).part(parts);
        Region own = self.output().part(parts);
        main.txAck(link);
        main.rxAck(link);
        if (reduces) {
            main.getReduce(link, theirs, own);
        } else {
            main.get(link, theirs, own);
        }
        main.txDataSignal(link);
        main.rxDataSignal(link);
    }
}
