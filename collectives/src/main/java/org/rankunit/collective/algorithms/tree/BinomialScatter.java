package org.rankunit.collective.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * Scatter down a binomial tree: each rank reads from its parent the slices of all ranks below it, its own one into its output and the others
 * into scratch memory; then its children read theirs, the one with the largest tree first.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class BinomialScatter implements CollectiveAlgorithm {

    @Override
    public Collective collective() {
        return Collective.SCATTER;
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
        if (tree.parent() >= 0) {
            Link up = self.link(tree.parent());
            main.rxAck(up);
            for (Subtree.Piece piece :
                    new Subtree(self, BufferKind.INPUT).pieces(up.peer(), self.rank(), self.output())) {
                main.get(up, piece.parent(), piece.child());
            }
            main.txDataSignal(up);
        }
        tree.largestFirst().forEach(child -> main.txAck(self.link(child)));
        if (tree.parent() < 0) {
            main.copy(self.input().part(call.partOf(self.rank())), self.output());
        }
        tree.largestFirst().forEach(child -> main.rxDataSignal(self.link(child)));
    }
}
