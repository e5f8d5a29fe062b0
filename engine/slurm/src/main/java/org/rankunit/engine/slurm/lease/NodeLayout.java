package org.rankunit.engine.slurm.lease;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.rankunit.engine.protocol.DeviceRef;

/**
 * The nodes of an allocation with their device slots, and the choice of slots for a group of ranks. Immutable: the
 * caller passes in which slots are taken and which nodes are lost.
 *
 * <p>A unit of slots begins at a multiple of its size, so that with a unit of 2 the slots 0 and 1 belong together.
 */
public final class NodeLayout {

    private final List<Node> nodes;

    /** A node of the allocation. Its slots are 0 to {@code slots - 1}. */
    public record Node(String name, int slots) {}

    /** @param nodes in the order of the allocation, which is the order of the ranks */
    public NodeLayout(List<Node> nodes) {
        this.nodes = List.copyOf(nodes);
        if (nodes.stream().map(Node::name).distinct().count() < nodes.size()) {
            throw new IllegalArgumentException("A node is listed twice: " + nodes);
        }
    }

    /**
     * Chooses slots for a group. One node is preferred, and of those that have room the one with the least; then as few
     * nodes as possible, with shares as even as their room allows.
     *
     * @param taken slots that others have. All of their units count as taken.
     * @param lost names of nodes that cannot be used any more
     * @return one slot per rank, by rank: node by node in the order of the allocation; empty if there is no room now
     */
    public Optional<List<DeviceRef>> place(DeviceDemand need, Set<DeviceRef> taken, Set<String> lost) {
        List<FreeUnits> rooms = new ArrayList<>();
        for (int place = 0; place < nodes.size(); place++) {
            if (!lost.contains(nodes.get(place).name())) {
                rooms.add(FreeUnits.of(place, nodes.get(place), need.unit(), taken));
            }
        }
        return need.exactNodes() == 0 ? anywhere(need, rooms) : onExactly(need.exactNodes(), need, rooms);
    }

    /**
     * Says why a group gets no slots even when no other group has any; empty if it then gets them.
     *
     * @param lost names of nodes that cannot be used any more, which do not count
     * @return a part of a sentence that begins with "it needs"
     */
    public Optional<String> whyNever(DeviceDemand need, Set<String> lost) {
        return place(need, Set.of(), lost).isPresent()
                ? Optional.empty()
                : Optional.of(new UnsatisfiableText(need, nodes, lost).text());
    }

    private static Optional<List<DeviceRef>> onExactly(int count, DeviceDemand need, List<FreeUnits> rooms) {
        int share = need.ranks() / count;
        boolean contradictory = (need.oneNodeOnly() && count > 1) || share * count != need.ranks();
        List<FreeUnits> chosen =
                FreeUnits.tightest(rooms, need.units(share)).limit(count).toList();
        if (contradictory || chosen.size() < count) {
            return Optional.empty();
        }
        return Optional.of(chosen.stream()
                .sorted(Comparator.comparingInt(FreeUnits::place))
                .flatMap(room -> room.devices(share, need.unit()))
                .toList());
    }

    private static Optional<List<DeviceRef>> anywhere(DeviceDemand need, List<FreeUnits> rooms) {
        return Spread.of(rooms, need.units(need.ranks())).map(shares -> devices(need, shares));
    }

    /** Only the last node may use a part of a unit. */
    private static List<DeviceRef> devices(DeviceDemand need, Map<FreeUnits, Integer> shares) {
        List<DeviceRef> devices = new ArrayList<>();
        shares.forEach((room, units) -> {
            int ranks = Math.min(units * need.unit(), need.ranks() - devices.size());
            room.devices(ranks, need.unit()).forEach(devices::add);
        });
        return List.copyOf(devices);
    }
}
