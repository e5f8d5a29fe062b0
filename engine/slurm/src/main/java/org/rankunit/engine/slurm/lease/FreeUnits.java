package org.rankunit.engine.slurm.lease;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * The free units of a node.
 *
 * @param place the place of the node in the allocation
 * @param units numbers of units, ascending; unit n has the slots from {@code n * unit}
 */
record FreeUnits(int place, String node, List<Integer> units) {

    /** Slots that do not fill a unit are never given out, and a unit of which a slot is taken is not free. */
    static FreeUnits of(int place, NodeLayout.Node node, int unit, Set<DeviceRef> taken) {
        List<Integer> free = IntStream.range(0, node.slots() / unit)
                .filter(number ->
                        slots(number, unit).noneMatch(slot -> taken.contains(new DeviceRef(node.name(), slot))))
                .boxed()
                .toList();
        return new FreeUnits(place, node.name(), free);
    }

    int size() {
        return units.size();
    }

    /** The lowest free slots, as many as {@code ranks}. */
    Stream<DeviceRef> devices(int ranks, int unit) {
        return units.stream()
                .flatMap(number -> slots(number, unit).boxed())
                .limit(ranks)
                .map(slot -> new DeviceRef(node, slot));
    }

    /** Those with at least {@code units} units: those with the fewest first, then in the order of the allocation. */
    static Stream<FreeUnits> tightest(List<FreeUnits> rooms, int units) {
        return rooms.stream()
                .filter(room -> room.size() >= units)
                .sorted(Comparator.comparingInt(FreeUnits::size).thenComparing(FreeUnits::place));
    }

    private static IntStream slots(int number, int unit) {
        return IntStream.range(number * unit, (number + 1) * unit);
    }
}
