package org.rankunit.engine.slurm.lease;

import java.util.List;
import java.util.Set;

/** Says why an allocation can never hold a group, with the numbers that contradict each other. */
final class UnsatisfiableText {

    private static final int MAX_NAMES = 3;

    private final DeviceDemand need;
    private final List<NodeLayout.Node> usable;
    private final List<String> lost;

    UnsatisfiableText(DeviceDemand need, List<NodeLayout.Node> nodes, Set<String> lost) {
        this.need = need;
        this.usable = nodes.stream().filter(node -> !lost.contains(node.name())).toList();
        this.lost =
                nodes.stream().map(NodeLayout.Node::name).filter(lost::contains).toList();
    }

    String text() {
        if (need.oneNodeOnly() && need.nodes() > 1) {
            return "it needs " + need.nodes() + " nodes, and its ranks must share one node";
        }
        if (need.nodes() > 1 && need.ranks() % need.nodes() != 0) {
            return "it needs equal shares on " + need.nodes() + " nodes, and " + need.ranks() + " is not a multiple of "
                    + need.nodes();
        }
        return "it needs " + contradiction() + lostNodes();
    }

    private String contradiction() {
        int count = need.exactNodes();
        if (count == 0) {
            return devices(need.ranks()) + ", and the allocation has "
                    + usable.stream().mapToInt(this::capacity).sum() + inUnits();
        }
        if (count == 1) {
            return devices(need.ranks()) + " on one node, and no node of the allocation has more than "
                    + usable.stream().mapToInt(this::capacity).max().orElse(0) + inUnits();
        }
        if (count > usable.size()) {
            return count + " nodes, and the allocation has " + usable.size();
        }
        int share = need.ranks() / count;
        long large = usable.stream().filter(node -> capacity(node) >= share).count();
        return devices(share) + " on each of " + count + " nodes, and "
                + (large == 0
                        ? "no node of the allocation has"
                        : "only " + large + (large == 1 ? " node" : " nodes") + " of the allocation "
                                + (large == 1 ? "has" : "have"))
                + " that many" + inUnits();
    }

    private int capacity(NodeLayout.Node node) {
        return node.slots() / need.unit() * need.unit();
    }

    private String inUnits() {
        return need.unit() == 1 ? "" : " in units of " + need.unit();
    }

    private String lostNodes() {
        if (lost.isEmpty()) {
            return "";
        }
        String names = lost.size() > MAX_NAMES ? lost.size() + " nodes" : String.join(", ", lost);
        return " (" + names + (lost.size() == 1 ? " is" : " are") + " lost)";
    }

    private static String devices(int count) {
        return count == 1 ? "1 device" : count + " devices";
    }
}
