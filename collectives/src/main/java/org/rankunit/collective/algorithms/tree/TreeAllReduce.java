package org.rankunit.collective.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce up and down a binomial tree with root 0: a reduction to rank 0, and a broadcast from there.
 *
 * <p>Operands are in the order of the ranks: the same bits in every run and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class TreeAllReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.ALL_REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return BinomialTree.of(call, 0, rank).resources();
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        BinomialTree tree = BinomialTree.of(call, 0, self.rank());
        main.copy(self.input(), self.output());
        for (int child : tree.children()) {
            Pairs.fetchReduced(main, self.link(child), self.buffer(BufferKind.OUTPUT, child), self.output());
        }
        if (tree.parent() >= 0) {
            Pairs.offer(main, self.link(tree.parent()));
            Pairs.fetch(main, self.link(tree.parent()), self.buffer(BufferKind.OUTPUT, tree.parent()), self.output());
        }
        tree.largestFirst().forEach(child -> main.txAck(self.link(child)));
        tree.largestFirst().forEach(child -> main.rxDataSignal(self.link(child)));
    }
}
