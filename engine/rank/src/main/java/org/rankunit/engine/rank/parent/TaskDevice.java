package org.rankunit.engine.rank.parent;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The device of a task of Slurm. The first of these variables that is set lists the devices of the tasks of this node,
 * of which a task takes the one at the place of its local rank:
 *
 * <ol>
 *   <li>{@code ASCEND_RT_VISIBLE_DEVICES}, which a plugin or a prolog may set;
 *   <li>{@code SLURM_STEP_NPUS}, set by a plugin for NPUs;
 *   <li>{@code SLURM_STEP_GPUS}, set by Slurm for a resource with the name {@code gpu};
 *   <li>{@code RANKUNIT_DEVICES}, set by our launcher: the devices of each node, {@code node1=0,1;node2=4,5}.
 * </ol>
 *
 * If none is set, the devices are counted from 0. A list of one device may be the task's own, as with
 * {@code --gpus-per-task=1}: Slurm then gives every task of a node another one.
 *
 * <p>If {@code RANKUNIT_SLOTS} is set, {@code node1=0,1;node2=4,5}, the step has all devices of its job on the node, and the places of
 * its own ones in such a list, or their numbers if they are counted, are these.
 *
 * @param id the id in the list
 * @param runtimeId the id by which the vendor's runtime opens it
 * @param source the variable, or {@code counted}
 */
record TaskDevice(int id, int runtimeId, String source) {

    static final String COUNTED = "counted";

    private static final String RUNTIME = "ASCEND_RT_VISIBLE_DEVICES";
    private static final String OF_NODES = "RANKUNIT_DEVICES";
    private static final String SLOTS = "RANKUNIT_SLOTS";

    /** By which Slurm and the plugin for NPUs say how many devices the step has on this node. */
    private static final List<String> COUNTS_OF_NODE = List.of("SLURM_GPUS_ON_NODE", "SLURM_NPUS_ON_NODE");

    /** @throws IllegalArgumentException if the variable cannot be read, or has too few devices */
    static TaskDevice of(Map<String, String> environment, String node, int localRank) {
        String source = Stream.of(RUNTIME, "SLURM_STEP_NPUS", "SLURM_STEP_GPUS", OF_NODES)
                .filter(variable -> !environment.getOrDefault(variable, "").isBlank())
                .findFirst()
                .orElse(COUNTED);
        if (source.equals(COUNTED)) {
            int slot = slotOf(environment, node, localRank);
            return new TaskDevice(slot, slot, COUNTED);
        }
        VisibleDevices devices = devices(source, environment.getOrDefault(source, ""), node);
        boolean isOwn = devices.ids().size() == 1
                && COUNTS_OF_NODE.stream()
                        .noneMatch(variable ->
                                environment.getOrDefault(variable, "").equals("1"));
        int place = isOwn ? 0 : source.equals(OF_NODES) ? localRank : slotOf(environment, node, localRank);
        int id = devices.at(place, node);
        return new TaskDevice(id, source.equals(RUNTIME) ? place : id, source);
    }

    /** The place of the device among those of the node: that of the task, unless the step has also devices of other groups. */
    private static int slotOf(Map<String, String> environment, String node, int localRank) {
        String slots = environment.getOrDefault(SLOTS, "");
        return slots.isBlank()
                ? localRank
                : VisibleDevices.ofNode(SLOTS, slots, node).at(localRank, node);
    }

    private static VisibleDevices devices(String variable, String value, String node) {
        if (variable.equals(RUNTIME)) {
            return VisibleDevices.ofRuntime(variable, value);
        }
        return variable.equals(OF_NODES)
                ? VisibleDevices.ofNode(variable, value, node)
                : VisibleDevices.parse(variable, value);
    }
}
