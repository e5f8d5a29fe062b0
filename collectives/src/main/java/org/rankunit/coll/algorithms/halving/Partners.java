package org.rankunit.coll.algorithms.halving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.Slice;

/** Ranks whose numbers differ in one bit. */
final class Partners {

    private Partners() {}

    static Optional<String> whyNot(CollectiveCall call) {
        return Integer.bitCount(call.ranks()) == 1
                ? Windows.needed(call)
                : Optional.of("needs a power of two of ranks");
    }

    static Resources resources(CollectiveCall call, int rank) {
        List<Integer> links = new ArrayList<>();
        for (int distance = 1; distance < call.ranks(); distance *= 2) {
            links.add(rank ^ distance);
        }
        return Resources.onMainStream(links);
    }

    /**
     * Read parts of the partner's output into this rank's.
     *
     * @param first the first of n parts
     * @param end the first part after them
     * @param reduces whether they are reduced into this rank's
     */
    static void exchange(Orchestration self, int distance, int first, int end, boolean reduces) {
        int n = self.call().ranks();
        TaskStream main = self.main();
        Link link = self.link(self.rank() ^ distance);
        long from = self.call().part(first, n).from();
        Slice parts = new Slice(from, self.call().part(end - 1, n).end() - from);
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
