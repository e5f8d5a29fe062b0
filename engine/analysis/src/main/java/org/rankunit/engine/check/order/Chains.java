package org.rankunit.engine.check.order;

import java.util.Arrays;
import org.rankunit.engine.timeline.LoggedEvent;
import org.rankunit.engine.timeline.order.Node;

/**
 * Divides nodes into few chains. On a chain, each node happens before the next one whatever waits have learned.
 */
final class Chains {

    /** The chain of arguments of tasks, which do not happen at any time: what comes before or after them is never asked. */
    private static final int NOWHERE = -1;

    private final int[] chains;
    private final int[] indices;

    /** The number of the last node of each chain so far. */
    private int[] last = new int[64];

    private int count;

    /** Where the next search for a chain begins, so that many searches do not pass by the same chains. */
    private int searched;

    private Chains(int nodes) {
        this.chains = new int[nodes];
        this.indices = new int[nodes];
    }

    /** @param nodes in an order in which each comes after what happens before it */
    static Chains of(Node[] nodes) {
        Chains divided = new Chains(nodes.length);
        int[] next = ofSameActor(nodes);
        Clock[] clocks = new Clock[nodes.length];
        Clock.Memory memory = Clock.Memory.quarter();
        for (Node node : nodes) {
            if (divided.isArgument(node)) {
                divided.chains[node.number] = NOWHERE;
                clocks[node.number] = Clock.NONE;
                continue;
            }
            int chain = divided.directlyBefore(node, next);
            divided.chains[node.number] = chain;
            clocks[node.number] = divided.clockOf(node, clocks, memory);
            divided.append(node, chain == NOWHERE ? divided.anyBefore(clocks[node.number], node, next) : chain);
        }
        return divided;
    }

    /** The next node of the same actor, for which the chain of each node is kept; 0 stands for none, since nothing precedes node 0. */
    private static int[] ofSameActor(Node[] nodes) {
        int[] next = new int[nodes.length];
        for (Node node : nodes) {
            for (Node earlier : node.before) {
                if (isOfSameActor(earlier, node)) {
                    next[earlier.number] = node.number;
                }
            }
        }
        return next;
    }

    private static boolean isOfSameActor(Node a, Node b) {
        return a.rank == b.rank
                && a.event != null
                && b.event != null
                && a.event.at().actor() == b.event.at().actor();
    }

    /** What is before it has been divided already. */
    private boolean isArgument(Node node) {
        boolean isArgument = node.event instanceof LoggedEvent.Argument;
        for (Node earlier : node.before) {
            isArgument &= chains[earlier.number] == NOWHERE;
        }
        return isArgument;
    }

    /** A chain that ends with a direct predecessor of this node, that of the same actor if possible. */
    private int directlyBefore(Node node, int[] next) {
        int found = NOWHERE;
        for (Node earlier : node.before) {
            int chain = chains[earlier.number];
            if (chain != NOWHERE && isFree(chain, earlier.number, node, next)) {
                if (next[earlier.number] == node.number) {
                    return chain;
                }
                found = found == NOWHERE ? chain : found;
            }
        }
        return found;
    }

    /** A chain all of which happens before this node, or a new one. */
    private int anyBefore(Clock clock, Node node, int[] next) {
        int found = freeWithin(clock, node, next, searched, count);
        found = found == NOWHERE ? freeWithin(clock, node, next, 0, searched) : found;
        searched = found == NOWHERE ? searched : found + 1;
        return found == NOWHERE ? count : found;
    }

    private int freeWithin(Clock clock, Node node, int[] next, int from, int to) {
        for (int chain = clock.nextKnown(from); chain >= 0 && chain < to; chain = clock.nextKnown(chain + 1)) {
            if (clock.at(chain) == indices[last[chain]] && isFree(chain, last[chain], node, next)) {
                return chain;
            }
        }
        return NOWHERE;
    }

    private boolean isFree(int chain, int end, Node node, int[] next) {
        return last[chain] == end && (next[end] == 0 || next[end] == node.number);
    }

    private void append(Node node, int chain) {
        if (chain == count) {
            count++;
            last = count > last.length ? Arrays.copyOf(last, 2 * count) : last;
            indices[node.number] = 1;
        } else {
            indices[node.number] = indices[last[chain]] + 1;
        }
        chains[node.number] = chain;
        last[chain] = node.number;
    }

    int of(Node node) {
        return chains[node.number];
    }

    /** Counted from 1. */
    int indexOf(Node node) {
        return indices[node.number];
    }

    /** What happens before a node, by what is before it directly. That of one of these itself if the others add nothing. */
    Clock clockOf(Node node, Clock[] clocks, Clock.Memory memory) {
        int own = chains[node.number];
        Clock clock = Clock.NONE;
        int known = 0;
        for (Node earlier : node.before) {
            if (chains[earlier.number] == own && indices[earlier.number] > known) {
                known = indices[earlier.number];
                clock = clocks[earlier.number];
            }
        }
        for (Node earlier : node.before) {
            clock = clock.joined(clocks[earlier.number], memory);
            int chain = chains[earlier.number];
            if (chain != own && chain != NOWHERE) {
                clock = clock.raised(chain, indices[earlier.number], memory);
            }
        }
        return clock;
    }
}
