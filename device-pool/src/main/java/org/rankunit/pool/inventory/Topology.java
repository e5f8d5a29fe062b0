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
 * Say how the devices of one platform are put together on this machine, and what that means for leases.
 *
 * <p>A lease prefers devices of one group and whole packages; what it must do is said by the rules. A device that no group
 * or package names is one of its own. Immutable.
 *
 * @param rules what must hold
 * @param groups devices that are linked directly, such as an HCCS ring; no device in two of them
 * @param packages devices in one package, such as a pair of dies; no device in two of them
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record Topology(TopologyRules rules, List<SortedSet<Integer>> groups, List<SortedSet<Integer>> packages) {

    /** All devices alike. */
    public static final Topology FLAT = new Topology(TopologyRules.NONE, List.of(), List.of());

    /** @throws IllegalArgumentException if a device is in two groups or in two packages; the text names it */
    public Topology {
        groups = copyOf(groups, "groups");
        packages = copyOf(packages, "packages");
    }

    /**
     * Put devices together as their ids say: those with equal {@code id / groupSize} in one group, with equal
     * {@code id / packageSize} in one package.
     *
     * @param groupSize 0 for one group of all
     * @param packageSize 1 for packages of single devices
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
