package org.rankunit.collective.algorithms.links;

import static org.apiguardian.api.API.Status.INTERNAL;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apiguardian.api.API;
import org.rankunit.collective.Resources;
import org.rankunit.collective.call.CollectiveCall;

/** Links to the ranks at distances of powers of two, both ways round. */
@API(status = INTERNAL, since = "0.1")
public final class Distances {

    private Distances() {}

    public static Resources resources(CollectiveCall call, int rank) {
        int n = call.ranks();
        Set<Integer> links = new LinkedHashSet<>();
        for (int distance = 1; distance < n; distance *= 2) {
            links.add((rank + distance) % n);
            links.add(Math.floorMod(rank - distance, n));
        }
        List<Integer> peers = new ArrayList<>(links);
        return Resources.onMainStream(peers);
    }
}
