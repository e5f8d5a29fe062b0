package org.rankunit.collective.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
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
 * Gather up a binomial tree: each rank reads from its children, the nearest one first, their slices and those of all ranks below them into
 * scratch memory; then its parent reads these and its own one.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BinomialGather implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.GATHER;
    }

    @Override
    public Optional<String> unsupportedReason(CollectiveCall call) {
        return Windows.needed(call);
    }

    @Override
    public Resources resources(CollectiveCall call, int rank) {
        return Subtree.resources(call, rank);
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        BinomialTree tree = BinomialTree.of(call, call.root(), self.rank());
        Subtree below = new Subtree(self, BufferKind.OUTPUT);
        if (tree.parent() < 0) {
            main.copy(self.input(), self.output().part(call.partOf(self.rank())));
        }
        for (int child : tree.children()) {
            Link down = self.link(child);
            Region theirs = self.buffer(BufferKind.INPUT, child);
            main.rxAck(down);
            for (Subtree.Piece piece : below.pieces(self.rank(), child, theirs)) {
                main.get(down, piece.child(), piece.parent());
            }
            main.txDataSignal(down);
        }
        if (tree.parent() >= 0) {
            Pairs.offer(main, self.link(tree.parent()));
        }
    }
}
