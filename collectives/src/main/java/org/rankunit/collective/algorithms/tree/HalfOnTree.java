package org.rankunit.collective.algorithms.tree;

import java.util.List;
import org.rankunit.collective.Link;
import org.rankunit.collective.Orchestration;
import org.rankunit.collective.Region;
import org.rankunit.collective.TaskStream;
import org.rankunit.collective.algorithms.links.Pairs;
import org.rankunit.collective.call.BufferKind;
import org.rankunit.collective.call.Slice;

/**
 * What a rank does with half of the data on one tree.
 *
 * @param half of the output
 * @param earlier neighbours in the tree that has taken links before this one
 */
record HalfOnTree(Orchestration self, InOrderTree tree, Slice half, List<Integer> earlier) {

    private static final int PARTS = 4;

    boolean isRoot() {
        return tree.parent() < 0;
    }

    /** Reduce what the children have, and let the parent read it; the root lets the children read the result. */
    void up(TaskStream stream) {
        List<Link> next = isRoot() ? children() : List.of(link(tree.parent()));
        for (int number = 0; number < PARTS; number++) {
            Slice part = part(number);
            for (Link child : children()) {
                Pairs.fetchReduced(
                        stream, child, theirs(child, part), self.output().part(part));
            }
            offer(stream, next, number);
        }
        next.forEach(stream::rxDataSignal);
    }

    /** Read the result from the parent, and let the children read it. */
    void down(TaskStream stream) {
        Link parent = link(tree.parent());
        for (int number = 0; number < PARTS; number++) {
            Slice part = part(number);
            Pairs.fetch(stream, parent, theirs(parent, part), self.output().part(part));
            offer(stream, children(), number);
        }
        children().forEach(stream::rxDataSignal);
    }

    /** Let others read a part when they have read the one before it. */
    private static void offer(TaskStream stream, List<Link> readers, int number) {
        if (number > 0) {
            readers.forEach(stream::rxDataSignal);
        }
        readers.forEach(stream::txAck);
    }

    private List<Link> children() {
        return tree.children().stream().map(this::link).toList();
    }

    private Link link(int peer) {
        return self.link(peer, earlier.contains(peer) ? 1 : 0);
    }

    private Region theirs(Link link, Slice part) {
        return self.buffer(BufferKind.OUTPUT, link.peer()).part(part);
    }

    private Slice part(int number) {
        return half.part(number, PARTS, self.call().elementBytes());
    }
}
