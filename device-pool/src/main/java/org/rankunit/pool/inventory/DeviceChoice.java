package org.rankunit.pool.inventory;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apiguardian.api.API;

/**
 * Chooses which devices of an inventory a request gets: follows the topology's rules, and leaves the best choice for
 * later requests.
 *
 * <p>Preferences, in this order: one group of directly linked devices rather than several, the one with the fewest free
 * devices that suffices; whole packages, and for an odd device a package that is already partly used; adjacent ids; the
 * lowest ids. Immutable.
 */
@API(status = API.Status.INTERNAL, since = "0.1")
public final class DeviceChoice {

    /** Devices of one package that are in the inventory, in ascending order. */
    private record Unit(BitSet devices, int size) {

        int first() {
            return devices.nextSetBit(0);
        }

        int last() {
            return devices.length() - 1;
        }

        int freeOf(BitSet free) {
            int common = 0;
            for (int device = first(); device >= 0; device = devices.nextSetBit(device + 1)) {
                common += free.get(device) ? 1 : 0;
            }
            return common;
        }
    }

    private final Inventory inventory;
    private final TopologyRules rules;
    private final BitSet all = new BitSet();
    private final List<List<Unit>> groups = new ArrayList<>();

    public DeviceChoice(Inventory inventory) {
        this.inventory = inventory;
        this.rules = inventory.topology().rules();
        inventory.devices().forEach(all::set);
        for (SortedSet<Integer> group : partition(all, inventory.topology().groups(), false)) {
            List<Unit> units = new ArrayList<>();
            for (SortedSet<Integer> unit :
                    partition(bits(group), inventory.topology().packages(), true)) {
                units.add(new Unit(bits(unit), unit.size()));
            }
            units.sort(Comparator.comparingInt(Unit::first));
            groups.add(units);
        }
    }

    /**
     * Split {@code devices} into {@code parts}. Devices in no part become one part each; if there are no parts at all
     * and not {@code single}, they form one part together.
     */
    private static List<SortedSet<Integer>> partition(BitSet devices, List<SortedSet<Integer>> parts, boolean single) {
        List<SortedSet<Integer>> result = new ArrayList<>();
        SortedSet<Integer> rest = new TreeSet<>(devices.stream().boxed().toList());
        for (SortedSet<Integer> part : parts) {
            SortedSet<Integer> present = new TreeSet<>(part);
            present.retainAll(rest);
            rest.removeAll(present);
            if (!present.isEmpty()) {
                result.add(present);
            }
        }
        if (single || !parts.isEmpty()) {
            rest.forEach(device -> result.add(new TreeSet<>(List.of(device))));
        } else if (!rest.isEmpty()) {
            result.add(rest);
        }
        return result;
    }

    static BitSet bits(Collection<Integer> devices) {
        BitSet bits = new BitSet();
        devices.forEach(bits::set);
        return bits;
    }

    public Inventory inventory() {
        return inventory;
    }

    /** The devices of the inventory; callers must not change the set. */
    public BitSet all() {
        return all;
    }

    /** Whether {@code count} devices could be leased if all were free. */
    public boolean everFits(int count) {
        return isAllowed(count) && !choose(all, count).isEmpty();
    }

    boolean isAllowed(int count) {
        return rules.counts().isEmpty() || rules.counts().contains(count);
    }

    /**
     * Choose {@code count} of the devices in {@code free}.
     *
     * @param free may contain devices that are not in the inventory; not modified
     * @return the chosen ids; empty if there is no allowed choice
     */
    public BitSet choose(BitSet free, int count) {
        BitSet usable = (BitSet) free.clone();
        usable.and(all);
        if (usable.cardinality() < count || !isAllowed(count)) {
            return new BitSet();
        }
        BitSet within = withinOneGroup(usable, count);
        if (!within.isEmpty() || count <= rules.withinGroup()) {
            return within;
        }
        return rules.evenly() ? evenly(usable, count) : acrossGroups(usable, count);
    }

    private BitSet withinOneGroup(BitSet free, int count) {
        BitSet best = new BitSet();
        int fewestFree = Integer.MAX_VALUE;
        for (List<Unit> group : groups) {
            int inGroup = freeOf(group, free);
            if (inGroup >= count && inGroup < fewestFree) {
                BitSet chosen = fromUnits(group, free, count);
                if (!chosen.isEmpty()) {
                    best = chosen;
                    fewestFree = inGroup;
                }
            }
        }
        return best;
    }

    // Plain loops here and below for speed: a queue of thousands of requests needs thousands of choices.
    private static int freeOf(List<Unit> units, BitSet free) {
        int sum = 0;
        for (Unit unit : units) {
            sum += unit.freeOf(free);
        }
        return sum;
    }

    /** Takes the same number of devices from each group, from as few groups as possible. */
    private BitSet evenly(BitSet free, int count) {
        for (int parts = 2; parts <= groups.size(); parts++) {
            if (count % parts == 0) {
                int share = count / parts;
                BitSet chosen = new BitSet();
                int found = 0;
                for (List<Unit> group : groups) {
                    BitSet part = found < parts ? fromUnits(group, free, share) : new BitSet();
                    found += part.isEmpty() ? 0 : 1;
                    chosen.or(part);
                }
                if (found == parts) {
                    return chosen;
                }
            }
        }
        return new BitSet();
    }

    /** Takes from the groups with the most free devices first, so that as few groups as possible are used. */
    private BitSet acrossGroups(BitSet free, int count) {
        BitSet chosen = new BitSet();
        if (groups.size() < 2) {
            return chosen;
        }
        List<Unit> units = new ArrayList<>();
        List<List<Unit>> fullestFirst = new ArrayList<>(groups);
        fullestFirst.sort(Comparator.comparingInt(group -> -freeOf(group, free)));
        for (List<Unit> group : fullestFirst) {
            units.addAll(group);
            chosen = fromUnits(units, free, count);
            if (!chosen.isEmpty()) {
                break;
            }
        }
        return chosen;
    }

    /** Takes whole units as long as they fit, then single devices, from partly used units first. */
    private BitSet fromUnits(List<Unit> units, BitSet free, int count) {
        int largest = 1;
        for (Unit unit : units) {
            largest = Math.max(largest, unit.size());
        }
        List<Unit> whole = new ArrayList<>();
        for (Unit unit : units) {
            if (unit.size() == largest && unit.freeOf(free) == largest) {
                whole.add(unit);
            }
        }
        BitSet chosen = new BitSet();
        neighbours(whole, count / largest).forEach(unit -> chosen.or(unit.devices()));
        int missing = count - chosen.cardinality();
        if (missing > 0) {
            boolean brokenAllowed = !rules.wholePackages() || count == 1 || largest == 1;
            if (!brokenAllowed) {
                return new BitSet();
            }
            missing = fill(units, free, chosen, missing);
        }
        return missing == 0 ? chosen : new BitSet();
    }

    /**
     * The lowest run of {@code count} units with adjacent ids; if there is none, the first {@code count} units, or all
     * if there are fewer.
     */
    private static List<Unit> neighbours(List<Unit> units, int count) {
        int run = 0;
        for (int i = 0; i < units.size() && count > 0; i++) {
            boolean follows =
                    i > 0 && units.get(i - 1).last() + 1 == units.get(i).first();
            run = follows ? run + 1 : 1;
            if (run == count) {
                return units.subList(i + 1 - count, i + 1);
            }
        }
        return units.subList(0, Math.min(count, units.size()));
    }

    private static int fill(List<Unit> units, BitSet free, BitSet chosen, int missing) {
        List<Unit> brokenFirst = units.stream()
                .filter(unit -> unit.freeOf(free) > 0 && !unit.devices().intersects(chosen))
                .sorted(Comparator.comparingInt((Unit unit) -> unit.freeOf(free))
                        .thenComparingInt(Unit::first))
                .toList();
        int left = missing;
        for (Unit unit : brokenFirst) {
            for (int device = unit.first();
                    device >= 0 && left > 0;
                    device = unit.devices().nextSetBit(device + 1)) {
                if (free.get(device)) {
                    chosen.set(device);
                    left--;
                }
            }
        }
        return left;
    }

    /** The reason, with numbers, why {@code count} devices can never be leased; empty if they can. */
    public Optional<String> whyNever(int count) {
        if (everFits(count)) {
            return Optional.empty();
        }
        String has = inventory.platform() + " has "
                + (inventory.devices().isEmpty() ? "none" : inventory.devices().size());
        return Optional.of("needs " + DeviceList.inWords(count) + ", " + has
                + (inventory.devices().size() < count
                        ? ""
                        : " (" + DeviceList.format(inventory.devices()) + "), " + ruleInWords(count)));
    }

    private String ruleInWords(int count) {
        if (!isAllowed(count)) {
            return "and " + rules.name() + " gives " + DeviceList.format(List.copyOf(rules.counts())) + " at once";
        }
        if (count <= rules.withinGroup()) {
            return "and " + rules.name() + " gives up to " + rules.withinGroup() + " out of one group only";
        }
        return "and " + rules.name() + " gives "
                + (rules.wholePackages() ? "whole packages only" : "the same number out of each group");
    }
}
