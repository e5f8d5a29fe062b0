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
 * Reduce up a binomial tree: each rank reduces what its children have into a copy of its input, the nearest child first; then its
 * parent reads it.
 *
 * <p>Counted from the root, operands are in the order of the ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BinomialReduce implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.REDUCE;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        BinomialTree tree = BinomialTree.of(call, call.root(), rank);
        boolean collects = tree.parent() >= 0 && !tree.children().isEmpty();
        return tree.resources().withScratch(collects ? call.inputBytes(rank) : 0);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        BinomialTree tree = BinomialTree.of(call, call.root(), self.rank());
        Region sum = tree.parent() < 0 ? self.output() : self.buffer(BufferKind.SCRATCH);
        if (!tree.children().isEmpty() || tree.parent() < 0) {
            main.copy(self.input(), sum);
        }
        for (int child : tree.children()) {
            boolean leaf = BinomialTree.of(call, call.root(), child).children().isEmpty();
            Region theirs = self.buffer(leaf ? BufferKind.INPUT : BufferKind.SCRATCH, child);
            Pairs.fetchReduced(main, self.link(child), theirs, sum);
        }
        if (tree.parent() >= 0) {
            Pairs.offer(main, self.link(tree.parent()));
        }
    }
}
