package org.rankunit.collective.algorithms.mesh;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Resources;
import org.rankunit.collective.Signal;
import org.rankunit.collective.call.CollectiveCall;

/** Links to all others. */
final class Mesh {

    private Mesh() {}

    static Resources resources(CollectiveCall call, int rank) {
        return Resources.onMainStream(IntStream.range(0, call.ranks())
                .filter(peer -> peer != rank)
                .boxed()
                .toList());
    }

    /** A link to the root; the root has one to each of the others. */
    static Resources resourcesOfRoot(CollectiveCall call, int rank) {
        return rank == call.root() ? resources(call, rank) : Resources.onMainStream(List.of(call.root()));
    }

    /** Two links to each of the others. */
    static Resources resourcesOfTwoLinks(CollectiveCall call, int rank) {
        List<Integer> once = resources(call, rank).links();
        return Resources.onMainStream(
                Stream.concat(once.stream(), once.stream()).toList());
    }

    /** Links to all others, the next rank first, so that not all begin with the same one. */
    static List<Link> links(Orchestration self) {
        return links(self, 0);
    }

    /** The links of this number to all others, in the same order. */
    static List<Link> links(Orchestration self, int number) {
        int n = self.call().ranks();
        return IntStream.range(1, n)
                .mapToObj(k -> self.link((self.rank() + k) % n, number))
                .toList();
    }

    /** All ranks tell each other that they have come so far. */
    static void meet(Orchestration self, Signal signal) {
        post(self, links(self), signal);
        await(self, links(self), signal);
    }

    static void post(Orchestration self, List<Link> links, Signal signal) {
        links.forEach(link -> self.main().post(link, signal));
    }

    static void await(Orchestration self, List<Link> links, Signal signal) {
        links.forEach(link -> self.main().waitFor(link, signal));
    }
}
