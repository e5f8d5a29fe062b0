package org.rankunit.collective.algorithms.tree;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.rankunit.collective.CollectiveAlgorithm;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.SubStreams;
import org.rankunit.collective.algorithms.links.Windows;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;

/**
 * All-reduce up and down two binary trees at the same time, half of the data in each: leaves of one tree are inside the other one, so that
 * all ranks have as much to do. Each half goes in four parts, and a part goes on while the next one comes. On each rank, streams of their own
 * go up and down each tree; the root of a tree has one for both.
 *
 * <p>On each tree, a rank reduces into its own elements first what its first child has, then its second one. In the first tree, the first
 * child is the lower one; the second tree is its mirror image if n is even, and shifted by one rank if n is odd. The same bits in every run
 * and on all ranks.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public final class DoubleBinaryTreeAllReduce implements CollectiveAlgorithm {

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
        if (call.ranks() == 1) {
            return Resources.onMainStream(List.of());
        }
        List<Integer> links = new ArrayList<>();
        int streams = 0;
        for (InOrderTree tree : trees(call, rank)) {
            links.addAll(tree.neighbours());
            streams += tree.parent() < 0 ? 1 : 2;
        }
        return new Resources(0, streams - 1, 2 * (streams - 1), links);
    }

    private static List<InOrderTree> trees(CollectiveCall call, int rank) {
        return List.of(InOrderTree.first(call.ranks(), rank), InOrderTree.second(call.ranks(), rank));
    }

    @Override
    public void orchestrate(Orchestration self) {
        CollectiveCall call = self.call();
        TaskStream main = self.main();
        main.copy(self.input(), self.output());
        if (call.ranks() == 1) {
            return;
        }
        List<InOrderTree> trees = trees(call, self.rank());
        HalfOnTree first = new HalfOnTree(self, trees.get(0), call.part(0, 2), List.of());
        HalfOnTree second =
                new HalfOnTree(self, trees.get(1), call.part(1, 2), trees.get(0).neighbours());
        int subs = resources(call, self.rank()).subStreams();
        SubStreams.begin(self, subs);
        first.up(main);
        int sub = 0;
        if (!first.isRoot()) {
            first.down(self.sub(sub++));
        }
        second.up(self.sub(sub++));
        if (!second.isRoot()) {
            second.down(self.sub(sub));
        }
        SubStreams.end(self, subs);
    }
}
