package org.rankunit.engine.slurm.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Divides units among as few nodes as possible, as evenly as their room allows. */
final class Spread {

    private static final Comparator<FreeUnits> BY_PLACE = Comparator.comparingInt(FreeUnits::place);

    private final List<FreeUnits> rooms;
    private final int units;

    private Spread(List<FreeUnits> rooms, int units) {
        this.rooms = rooms;
        this.units = units;
    }

    /** Returns how many units each chosen node gives, in the order of the allocation; empty if there are too few. */
    static Optional<Map<FreeUnits, Integer>> of(List<FreeUnits> rooms, int units) {
        return new Spread(rooms, units).shares();
    }

    private Optional<Map<FreeUnits, Integer>> shares() {
        List<FreeUnits> largest = rooms.stream()
                .sorted(Comparator.comparingInt(FreeUnits::size).reversed())
                .toList();
        int sum = 0;
        for (int count = 1; count <= largest.size(); count++) {
            sum += largest.get(count - 1).size();
            if (sum >= units) {
                return Optional.of(even(count).orElse(filled(largest.subList(0, count))));
            }
        }
        return Optional.empty();
    }

    /** Shares that differ by one unit at most, on the nodes that then keep the fewest free units. */
    private Optional<Map<FreeUnits, Integer>> even(int count) {
        int smaller = units / count;
        int larger = smaller + 1;
        List<FreeUnits> withLarger =
                FreeUnits.tightest(rooms, larger).limit(units % count).toList();
        List<FreeUnits> others = new ArrayList<>(rooms);
        others.removeAll(withLarger);
        List<FreeUnits> withSmaller =
                FreeUnits.tightest(others, smaller).limit(count - units % count).toList();
        if (withLarger.size() + withSmaller.size() < count) {
            return Optional.empty();
        }
        Map<FreeUnits, Integer> shares = new TreeMap<>(BY_PLACE);
        withLarger.forEach(room -> shares.put(room, larger));
        withSmaller.forEach(room -> shares.put(room, smaller));
        return Optional.of(shares);
    }

    /** Shares on these nodes of which the smaller ones are used up. */
    private Map<FreeUnits, Integer> filled(List<FreeUnits> largestFirst) {
        Map<FreeUnits, Integer> shares = new TreeMap<>(BY_PLACE);
        int left = units;
        for (int i = largestFirst.size() - 1; i >= 0; i--) {
            FreeUnits room = largestFirst.get(i);
            int share = Math.min(room.size(), left / (i + 1));
            shares.put(room, share);
            left -= share;
        }
        return shares;
    }
}
