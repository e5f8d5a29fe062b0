package org.rankunit.pool.machine;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rankunit.pool.machine.npusmi.Chip;

/**
 * Determines which node belongs to each chip.
 *
 * <p>A3 and A5 report it as the physical id. A2 does not, and a container may have different nodes from the machine.
 * There the id is the number of the NPU or, where NPUs are numbered by their slots, the chip's logic id. The numbering
 * that matches the nodes best is used: one that names exactly the nodes, else one that names only existing nodes, else
 * one that names all nodes.
 */
final class DeviceIds {

    private static final List<BiPredicate<Set<Integer>, Set<Integer>>> AGREEMENT =
            List.of(Set::equals, (ids, nodes) -> nodes.containsAll(ids), Set::containsAll);

    private DeviceIds() {}

    /** Maps ids to chips; empty if no numbering matches the nodes. */
    static Map<Integer, Chip> match(List<Chip> chips, SortedSet<Integer> nodes) {
        Map<Integer, Chip> physical = by(Chip::phyId, chips);
        if (!Collections.disjoint(physical.keySet(), nodes)) {
            return physical;
        }
        for (BiPredicate<Set<Integer>, Set<Integer>> agreement : AGREEMENT) {
            for (Map<Integer, Chip> numbering :
                    Stream.of(by(Chip::npu, chips), by(Chip::logicId, chips)).toList()) {
                if (!numbering.isEmpty() && agreement.test(numbering.keySet(), nodes)) {
                    return numbering;
                }
            }
        }
        return Map.of();
    }

    /** Maps the id of each open device to its place, counted as the runtime does. */
    static Map<Integer, Integer> indexes(Map<Integer, Chip> listed, SortedSet<Integer> open) {
        Map<Integer, Integer> indexes = new HashMap<>();
        Set<@Nullable Integer> told = new HashSet<>();
        listed.forEach((id, chip) -> told.add(chip.logicId()));
        boolean tells = listed.keySet().equals(open) && told.size() == open.size() && !told.contains(null);
        int place = 0;
        for (int id : open) {
            Chip chip = listed.get(id);
            Integer logicId = chip == null ? null : chip.logicId();
            indexes.put(id, tells ? Objects.requireNonNullElse(logicId, place) : place);
            place++;
        }
        return indexes;
    }

    private static Map<Integer, Chip> by(Function<Chip, @Nullable Integer> number, List<Chip> chips) {
        Map<Integer, Chip> numbered = new TreeMap<>();
        for (Chip chip : chips) {
            Integer id = number.apply(chip);
            if (id == null || numbered.put(id, chip) != null) {
                return Map.of();
            }
        }
        return numbered;
    }
}
