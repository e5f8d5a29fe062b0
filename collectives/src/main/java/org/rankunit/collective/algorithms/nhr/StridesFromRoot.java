package org.rankunit.collective.algorithms.nhr;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.CollectiveCall;

/**
 * How the slices of a root get to all ranks in the steps of {@link Strides}, backwards: in the step with distance d, the ranks that have
 * slices keep every second one, and give the others to the rank at distance d before them.
 *
 * @param parent -1 at the root
 * @param children in the order of the steps; the first one gets most
 * @param slices of those that the rank gets, the numbers of their ranks, its own first
 */
record StridesFromRoot(int parent, List<Integer> children, List<Integer> slices) {

    static StridesFromRoot of(CollectiveCall call, int rank) {
        int n = call.ranks();
        int away = Math.floorMod(call.root() - rank, n);
        int step = Integer.highestOneBit(away);
        int next = Math.max(1, 2 * step);
        List<Integer> children = new ArrayList<>();
        for (int distance = next; away + distance < n; distance *= 2) {
            children.add(Math.floorMod(rank - distance, n));
        }
        List<Integer> slices = new ArrayList<>();
        for (int further = away; further < n; further += next) {
            slices.add(Math.floorMod(call.root() - further, n));
        }
        return new StridesFromRoot(away == 0 ? -1 : (rank + step) % n, children, slices);
    }

    StridesFromRoot {
        children = List.copyOf(children);
        slices = List.copyOf(slices);
    }

    Resources resources() {
        List<Integer> links = new ArrayList<>(children);
        if (parent >= 0) {
            links.add(parent);
        }
        return Resources.onMainStream(links);
    }
}
