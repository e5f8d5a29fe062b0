package org.rankunit.benchmarks.coll;

import java.util.List;
import java.util.stream.IntStream;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

/** All-gather in windows: each rank reads the inputs of all where they are. */
final class DirectAllGather implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_GATHER;
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Resources.onMainStream(IntStream.range(0, call.ranks())
                .filter(peer -> peer != rank)
                .boxed()
                .toList());
    }

    @Override
    public void orchestrate(Orchestration self) {
        TaskStream main = self.main();
        List<Link> links = DirectAllReduce.links(self, 0);
        links.forEach(main::txAck);
        main.copy(self.input(), self.output().part(self.call().partOf(self.rank())));
        for (Link link : links) {
            main.rxAck(link);
            main.get(
                    link,
                    self.buffer(BufferKind.INPUT, link.peer()),
                    self.output().part(self.call().partOf(link.peer())));
            main.txDataSignal(link);
        }
        links.forEach(main::rxDataSignal);
    }
}
