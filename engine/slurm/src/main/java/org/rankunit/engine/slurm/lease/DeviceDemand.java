package org.rankunit.engine.slurm.lease;

/**
 * The devices that a group of ranks needs, one per rank.
 *
 * @param nodes on how many nodes: 0 for any number, 1 for one, k for equal shares on exactly k nodes
 * @param oneNodeOnly whether the ranks must share a node whatever {@code nodes} says, as those on simulators must
 * @param unit how many devices are given out together on a node. A unit of which the group uses only some devices is
 *     not given to another group.
 */
public record DeviceDemand(int ranks, int nodes, boolean oneNodeOnly, int unit) {

    public DeviceDemand {
        if (ranks < 1 || nodes < 0 || unit < 1) {
            throw new IllegalArgumentException(
                    "ranks = " + ranks + ", nodes = " + nodes + ", unit = " + unit + ": ranks and unit begin at 1");
        }
    }

    /** On how many nodes its devices must be; 0 for any number. */
    int exactNodes() {
        return oneNodeOnly && nodes == 0 ? 1 : nodes;
    }

    /** Units that hold a number of ranks. */
    int units(int count) {
        return (count - 1) / unit + 1;
    }
}
