package org.rankunit.coll.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Orchestration;
import org.rankunit.coll.Region;
import org.rankunit.coll.Resources;
import org.rankunit.coll.TaskStream;
import org.rankunit.coll.algorithms.links.Pairs;
import org.rankunit.coll.algorithms.links.Windows;
import org.rankunit.coll.call.BufferKind;
import org.rankunit.coll.call.Collective;
import org.rankunit.coll.call.CollectiveCall;

/**
 * Broadcast down a binomial tree: each rank reads from its parent, then its children read from it, the one with the largest tree first.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BinomialBroadcast implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.BROADCAST;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return BinomialTree.of(call, call.root(), rank).resources();
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        BinomialTree tree = BinomialTree.of(call, call.root(), self.rank());
        if (tree.parent() >= 0) {
            Region theirs = self.buffer(BufferKind.OUTPUT, tree.parent());
            Pairs.fetch(main, self.link(tree.parent()), theirs, self.output());
        } else {
            main.copy(self.input(), self.output());
        }
        tree.largestFirst().forEach(child -> main.txAck(self.link(child)));
        tree.largestFirst().forEach(child -> main.rxDataSignal(self.link(child)));
    }
}
