package org.rankunit.benchmarks.coll;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.Signal;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;
import org.rankunit.coll.call.Slice;

/** All-reduce in windows: each rank reduces a part of all inputs, which it reads where they are, and then reads the other parts. */
final class DirectAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Resources.onMainStream(IntStream.range(0, 2 * call.ranks())
                .mapToObj(number -> number / 2)
                .filter(peer -> peer != rank)
                .toList());
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        Slice part = call.part(self.rank(), call.ranks());
        Region own = self.output().part(part);
        meet(self, 0, Signal.ACK);
        main.copy(self.input().part(part), own);
        for (Link link : links(self, 0)) {
            main.getReduce(link, self.buffer(BufferKind.INPUT, link.peer()).part(part), own);
        }
        meet(self, 0, Signal.DATA_SIGNAL);
        for (Link link : links(self, 0)) {
            Slice theirs = call.part(link.peer(), call.ranks());
            main.get(
                    link,
                    self.buffer(BufferKind.OUTPUT, link.peer()).part(theirs),
                    self.output().part(theirs));
        }
        // Nobody changes its output while others read it. By other notifies than those with which the next run begins:
        // a rank that
        // is already there must not set one that has not been taken yet.
        meet(self, 1, Signal.ACK);
    }

    /** All ranks tell each other that they have come so far. */
    private static void meet(Orchestration self, int number, Signal signal) {
        List<Link> links = links(self, number);
        links.forEach(link -> self.main().post(link, signal));
        links.forEach(link -> self.main().waitFor(link, signal));
    }

    /** Those to all others, the next rank first, so that not all begin with the same one. */
    static List<Link> links(Orchestration self, int number) {
        int n = self.call().ranks();
        return IntStream.range(1, n)
                .mapToObj(k -> self.link((self.rank() + k) % n, number))
                .toList();
    }
}
