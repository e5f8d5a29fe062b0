package org.rankunit.collective.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

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
