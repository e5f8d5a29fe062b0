package org.rankunit.engine.check.order;

import org.rankunit.engine.timeline.order.Node;

/**
 * What is known so far of which node happens before which. Nodes are on chains: on each, the one with the smaller index
 * happens before the one with the larger index.
 */
interface Reach {

    /** Whether one node is known to happen before another one. */
    boolean isBefore(Node first, Node second);

    /** Whether a node is left out of consideration: what happens after it on its chain is, too. */
    boolean isExcluded(Node node);

    int chainOf(Node node);

    int indexOf(Node node);

    /** The clock of what comes after this node: everything before it, and the node. */
    Clock clockAfter(Node node);
}
