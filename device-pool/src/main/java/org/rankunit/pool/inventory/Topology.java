package org.rankunit.pool.inventory;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Describe how the devices of one platform are grouped on this machine, and what that means for leases.
 *
 * <p>A lease prefers devices of one group and whole packages; the rules state hard requirements. A device that is in no
 * group or package forms one of its own. Immutable.
 *
 * @param rules hard requirements for leases
 * @param groups devices that are linked directly, such as an HCCS ring; no device in two of them
 * @param packages devices in one package, such as a pair of dies; no device in two of them
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Topology(TopologyRules rules, List<SortedSet<Integer>> groups, List<SortedSet<Integer>> packages) {

    /** No groups, packages or rules: all devices are equivalent. */
    public static final Topology FLAT = new Topology(TopologyRules.NONE, List.of(), List.of());

    /** @throws IllegalArgumentException if a device is in two groups or in two packages; the message names it */
    public Topology {
        groups = copyOf(groups, "groups");
        packages = copyOf(packages, "packages");
    }

    /**
     * Group devices by their ids: devices with equal {@code id / groupSize} form a group, and those with equal
     * {@code id / packageSize} a package.
     *
     * @param groupSize 0 for one group of all devices
     * @param packageSize 1 for one device per package
     */
    public static Topology numbered(TopologyRules rules, List<Integer> devices, int groupSize, int packageSize) {
        return new Topology(
                rules,
                groupSize == 0 ? List.of(new TreeSet<>(devices)) : cut(devices, groupSize),
                cut(devices, packageSize));
    }

    private static List<SortedSet<Integer>> cut(List<Integer> devices, int size) {
        Map<Integer, SortedSet<Integer>> parts = new LinkedHashMap<>();
        devices.forEach(device ->
                parts.computeIfAbsent(device / size, part -> new TreeSet<>()).add(device));
        return List.copyOf(parts.values());
    }

    private static List<SortedSet<Integer>> copyOf(List<SortedSet<Integer>> sets, String what) {
        SortedSet<Integer> seen = new TreeSet<>();
        List<SortedSet<Integer>> copies = new ArrayList<>();
        for (SortedSet<Integer> set : sets) {
            for (int device : set) {
                if (!seen.add(device)) {
                    throw new IllegalArgumentException(what + ": device " + device + " is in two of them.");
                }
            }
            copies.add(Collections.unmodifiableSortedSet(new TreeSet<>(set)));
        }
        return List.copyOf(copies);
    }
}
