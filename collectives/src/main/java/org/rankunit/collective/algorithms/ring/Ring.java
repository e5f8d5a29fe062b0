package org.rankunit.collective.algorithms.ring;

import java.util.ArrayList;
import java.util.List;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.CollectiveCall;

/** Links to the neighbours of a rank. */
final class Ring {

    private Ring() {}

    static Resources resources(CollectiveCall call, int rank) {
        int n = call.ranks();
        return Resources.onMainStream(
                switch (n) {
                    case 1 -> List.of();
                    case 2 -> List.of(1 - rank);
                    default -> List.of(Math.floorMod(rank - 1, n), (rank + 1) % n);
                });
    }

    /** The ring without the link that leads back to the root. */
    static Resources resourcesOfChain(CollectiveCall call, int rank) {
        int n = call.ranks();
        int place = Math.floorMod(rank - call.root(), n);
        List<Integer> links = new ArrayList<>();
        if (place > 0) {
            links.add(Math.floorMod(rank - 1, n));
        }
        if (place < n - 1) {
            links.add((rank + 1) % n);
        }
        return Resources.onMainStream(links);
    }
}
