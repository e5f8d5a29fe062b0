package org.rankunit.engine.protocol;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.rankunit.pool.inventory.DeviceList;

/**
 * One device of one node. Ordered by node, then by number.
 *
 * @param node the name of the machine that has the device; {@link #HERE} for the machine that this process runs on
 * @param id the number of the device on its node: the pool's, or the one that a cluster gives the job
 */
public record DeviceRef(String node, int id) implements Comparable<DeviceRef> {

    /** The machine that this process runs on. */
    public static final String HERE = "";

    private static final Comparator<DeviceRef> ORDER =
            Comparator.comparing(DeviceRef::node).thenComparingInt(DeviceRef::id);

    /** Refer to a device of this machine. */
    public static DeviceRef here(int id) {
        return new DeviceRef(HERE, id);
    }

    /** Whether the device is one of this machine. */
    public boolean isHere() {
        return node.equals(HERE);
    }

    /** Name the device for a message. The node is included only if it is another machine. */
    public String describe() {
        return "device " + id + (isHere() ? "" : " of node " + node);
    }

    /** Name several devices for a message: {@code device 3}, {@code devices 0-3}, {@code devices 0-3 of node1, 0-1 of node2}. */
    public static String describe(List<DeviceRef> devices) {
        return (devices.size() == 1 ? "device " : "devices ") + list(devices);
    }

    /** List the numbers of devices for a message: {@code 0-3}, or {@code 0-3 of node1, 0-1 of node2}. */
    public static String list(List<DeviceRef> devices) {
        Map<String, TreeSet<Integer>> byNode = new LinkedHashMap<>();
        devices.forEach(device ->
                byNode.computeIfAbsent(device.node, node -> new TreeSet<>()).add(device.id));
        return byNode.entrySet().stream()
                .map(each -> DeviceList.format(List.copyOf(each.getValue()))
                        + (each.getKey().equals(HERE) ? "" : " of " + each.getKey()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public int compareTo(DeviceRef other) {
        return ORDER.compare(this, other);
    }
}
