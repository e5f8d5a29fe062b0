package org.rankunit.collective.algorithms.levels;

import java.util.List;
import java.util.function.Consumer;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Signal;

/**
 * The other ranks of a group.
 *
 * @param peers in the order in which this rank reads from them
 */
record Group(List<Integer> peers) {

    /** Read from one after the other, when all have come so far; then wait until all have read. */
    void read(Orchestration self, Consumer<Link> one) {
        List<Link> links = peers.stream().map(self::link).toList();
        meet(self, links, Signal.ACK);
        links.forEach(one);
        meet(self, links, Signal.DATA_SIGNAL);
    }

    private static void meet(Orchestration self, List<Link> links, Signal signal) {
        links.forEach(link -> self.main().post(link, signal));
        links.forEach(link -> self.main().waitFor(link, signal));
    }
}
