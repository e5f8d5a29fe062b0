package org.rankunit.pool.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.rankunit.pool.inventory.Topology;
import org.rankunit.pool.machine.npusmi.LinkTable;

/**
 * Builds the topology of one platform's devices: from {@code npu-smi} if it reports one, else from the table of chips.
 */
final class Assembly {

    private Assembly() {}

    static Topology of(MachineKind kind, List<NpuDevice> devices, LinkTable links) {
        List<Integer> ids = devices.stream().map(NpuDevice::id).toList();
        Topology numbered = Topology.numbered(kind.rules(), ids, kind.groupSize(), kind.packageSize());
        List<SortedSet<Integer>> groups = groups(devices, links);
        List<SortedSet<Integer>> packages = packages(devices);
        boolean told = packages.stream().allMatch(members -> members.size() <= kind.packageSize());
        return new Topology(
                kind.rules(), groups.isEmpty() ? numbered.groups() : groups, told ? packages : numbered.packages());
    }

    private static List<SortedSet<Integer>> packages(List<NpuDevice> devices) {
        Map<Integer, SortedSet<Integer>> byNpu = new TreeMap<>();
        devices.forEach(device ->
                byNpu.computeIfAbsent(device.npu(), npu -> new TreeSet<>()).add(device.id()));
        return List.copyOf(byNpu.values());
    }

    /** Groups of device ids; none unless the matrix covers every device. */
    private static List<SortedSet<Integer>> groups(List<NpuDevice> devices, LinkTable links) {
        Map<Integer, Integer> idByLabel = new HashMap<>();
        devices.forEach(device -> idByLabel.put(links.physical() ? device.id() : device.npu(), device.id()));
        List<SortedSet<Integer>> groups = new ArrayList<>();
        int found = 0;
        for (SortedSet<Integer> labels : links.groups()) {
            SortedSet<Integer> group = new TreeSet<>();
            labels.stream().filter(idByLabel::containsKey).forEach(label -> group.add(idByLabel.get(label)));
            found += group.size();
            if (!group.isEmpty()) {
                groups.add(group);
            }
        }
        return found == devices.size() ? groups : List.of();
    }
}
