package org.rankunit.coll.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.coll.CollectiveAlgorithm;
import org.rankunit.coll.Link;
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
