package org.rankunit.engine.slurm.step;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * The ranks of a group that one step starts. Each node has a step of its own: as long as one node of a step does not answer, Slurm
 * gives no one the devices that the step has on the other nodes. Only ranks that find each other by Slurm's own means share a step.
 *
 * @param firstRank the rank of its first task
 * @param nodes its nodes, in the order of the ranks
 * @param ranksPerNode how many tasks it has on each of them
 */
record StepPart(int firstRank, List<String> nodes, int ranksPerNode) {

    int ranks() {
        return nodes.size() * ranksPerNode;
    }

    /** The steps for ranks on these devices, which are one for each rank, those of one node next to each other. */
    static List<StepPart> onePerNode(List<DeviceRef> devices) {
        List<StepPart> parts = new ArrayList<>();
        int first = 0;
        for (Map.Entry<String, Integer> each : ranksByNode(devices).entrySet()) {
            parts.add(new StepPart(first, List.of(each.getKey()), each.getValue()));
            first += each.getValue();
        }
        return List.copyOf(parts);
    }

    /**
     * One step for all ranks.
     *
     * @throws IllegalArgumentException if there are not as many on each node; the message says how many
     */
    static StepPart together(List<DeviceRef> devices) {
        Map<String, Integer> counts = ranksByNode(devices);
        if (counts.values().stream().distinct().count() > 1) {
            throw new IllegalArgumentException(
                    "the ranks of one step must be spread evenly over its nodes, and they are " + counts
                            + "; use @Nodes, or a number of ranks that fits one node");
        }
        return new StepPart(
                0, List.copyOf(counts.keySet()), counts.values().iterator().next());
    }

    private static Map<String, Integer> ranksByNode(List<DeviceRef> devices) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        devices.forEach(device -> counts.merge(device.node(), 1, Integer::sum));
        return counts;
    }
}
