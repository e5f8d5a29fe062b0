package org.rankunit.collective.algorithms.tree;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.CollectiveCall;

/**
 * The place of a rank in a binomial tree: counted from the root, a rank is the child of the one without its lowest bit.
 *
 * @param parent -1 at the root
 * @param children the nearest one, with the smallest tree below it, first
 */
record BinomialTree(int parent, List<Integer> children) {

    static BinomialTree of(CollectiveCall call, int root, int rank) {
        int n = call.ranks();
        int place = Math.floorMod(rank - root, n);
        int parent = place == 0 ? -1 : ((place & (place - 1)) + root) % n;
        List<Integer> children = new ArrayList<>();
        int below = place == 0 ? n : Integer.lowestOneBit(place);
        for (int distance = 1; distance < below && place + distance < n; distance *= 2) {
            children.add((place + distance + root) % n);
        }
        return new BinomialTree(parent, List.copyOf(children));
    }

    /** The child with the largest tree below it first. */
    List<Integer> largestFirst() {
        List<Integer> reversed = new ArrayList<>(children);
        Collections.reverse(reversed);
        return reversed;
    }

    /** How many ranks a rank and those below it are; counted from the root, they are consecutive. */
    static int size(CollectiveCall call, int root, int rank) {
        int n = call.ranks();
        int place = Math.floorMod(rank - root, n);
        return place == 0 ? n : Math.min(Integer.lowestOneBit(place), n - place);
    }

    Resources resources() {
        List<Integer> links = new ArrayList<>(children);
        if (parent >= 0) {
            links.add(parent);
        }
        return Resources.onMainStream(links);
    }
}
