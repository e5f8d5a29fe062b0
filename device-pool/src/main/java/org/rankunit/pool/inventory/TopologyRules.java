package org.rankunit.pool.inventory;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Describe which sets of a machine's devices may be leased together, as data: one value per kind of machine.
 *
 * <p>Immutable.
 *
 * @param name kind of machine, for messages, such as {@code Atlas A3}
 * @param counts numbers of devices that can be leased at once; empty for any
 * @param wholePackages whether a lease of more than one device takes whole packages, such as both dies of a pair
 * @param withinGroup leases of up to this many devices must lie inside one group of directly linked devices; 0 if that
 *     is only preferred
 * @param evenly whether a lease that is too large for one group takes the same number of devices from each group it
 *     uses
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record TopologyRules(
        String name, SortedSet<Integer> counts, boolean wholePackages, int withinGroup, boolean evenly) {

    /** No rules: any devices may be leased together. */
    public static final TopologyRules NONE =
            new TopologyRules("any devices", Collections.emptySortedSet(), false, 0, false);

    /** @throws IllegalArgumentException if a count is not positive or {@code withinGroup} is negative */
    public TopologyRules {
        counts = Collections.unmodifiableSortedSet(new TreeSet<>(counts));
        if (!counts.isEmpty() && counts.first() < 1) {
            throw new IllegalArgumentException("counts of " + name + ": " + counts.first() + " is not positive.");
        }
        if (withinGroup < 0) {
            throw new IllegalArgumentException("withinGroup of " + name + ": " + withinGroup + " is negative.");
        }
    }
}
