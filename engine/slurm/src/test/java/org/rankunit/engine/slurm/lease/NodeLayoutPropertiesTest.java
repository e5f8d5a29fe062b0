package org.rankunit.engine.slurm.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.rankunit.engine.protocol.DeviceRef;

/** What holds for any allocation and any need. Both are small, so that most cases are tight. */
@Tag("unit")
class NodeLayoutPropertiesTest {

    private static final int CASES = 300;

    private Random random = new Random();
    private final List<NodeLayout.Node> nodes = new ArrayList<>();
    private final Set<DeviceRef> taken = new HashSet<>();
    private final Set<String> lost = new HashSet<>();

    @RepeatedTest(CASES)
    void everyRankGetsAFreeSlotOfItsOwn(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        layout().place(need, taken, lost).ifPresent(devices -> {
            assertThat(devices).hasSize(need.ranks()).doesNotHaveDuplicates().noneMatch(taken::contains);
            assertThat(devices).allSatisfy(device -> {
                assertThat(lost).doesNotContain(device.node());
                assertThat(device.id()).isBetween(0, slots(device.node()) - 1);
            });
        });
    }

    @RepeatedTest(CASES)
    void theSharesAreThoseThatAreAskedFor(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        layout().place(need, taken, lost).map(this::shares).ifPresent(shares -> {
            if (need.nodes() > 0) {
                assertThat(shares).hasSize(need.nodes());
                assertThat(Set.copyOf(shares.values())).hasSize(1);
            }
            if (need.oneNodeOnly()) {
                assertThat(shares).hasSize(1);
            }
        });
    }

    @RepeatedTest(CASES)
    void unitsAreWholeAndNoneIsShared(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        layout().place(need, taken, lost).ifPresent(devices -> {
            Set<DeviceRef> units = units(devices, need.unit());
            assertThat(units).noneMatch(units(taken, need.unit())::contains);
            assertThat(units)
                    .allSatisfy(
                            unit -> assertThat((unit.id() + 1) * need.unit()).isLessThanOrEqualTo(slots(unit.node())));
            shares(devices).forEach((node, share) -> {
                long unitsOfNode =
                        units.stream().filter(unit -> unit.node().equals(node)).count();
                assertThat(unitsOfNode).isEqualTo((share + need.unit() - 1) / need.unit());
            });
        });
    }

    @RepeatedTest(CASES)
    void ranksFollowTheOrderOfTheNodesAndSlots(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        layout().place(need, taken, lost).ifPresent(devices -> {
            List<DeviceRef> all = new ArrayList<>();
            nodes.forEach(node -> {
                for (int slot = 0; slot < node.slots(); slot++) {
                    all.add(new DeviceRef(node.name(), slot));
                }
            });
            all.retainAll(new HashSet<>(devices));
            assertThat(devices).isEqualTo(all);
        });
    }

    @RepeatedTest(CASES)
    void aGroupHasAPlaceExactlyIfTheFreeUnitsSuffice(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        assertThat(layout().place(need, taken, lost).isPresent())
                .isEqualTo(suffices(need, freeUnits(need.unit(), taken)));
    }

    @RepeatedTest(CASES)
    void aGroupIsHopelessExactlyIfAnEmptyAllocationHasNoPlaceForIt(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        Optional<String> why = layout().whyNever(need, lost);

        assertThat(why.isEmpty()).isEqualTo(suffices(need, freeUnits(need.unit(), Set.of())));
        why.ifPresent(sentence -> assertThat(sentence).startsWith("it needs "));
    }

    @RepeatedTest(CASES)
    void noFewerNodesWouldDo(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);
        List<Integer> largest = new ArrayList<>(freeUnits(need.unit(), taken));
        largest.sort((a, b) -> b - a);

        layout().place(need, taken, lost).filter(devices -> need.nodes() == 0).ifPresent(devices -> {
            int fewer = shares(devices).size() - 1;
            int room = largest.stream().limit(fewer).mapToInt(Integer::intValue).sum();
            assertThat(room * need.unit()).isLessThan(need.ranks());
        });
    }

    @RepeatedTest(CASES)
    void aGroupOnOneNodeIsWhereTheLeastIsLeft(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);
        int wanted = (need.ranks() + need.unit() - 1) / need.unit();

        layout().place(need, taken, lost)
                .map(this::shares)
                .filter(shares -> shares.size() == 1)
                .ifPresent(shares -> {
                    int least = freeUnits(need.unit(), taken).stream()
                            .filter(free -> free >= wanted)
                            .min(Integer::compare)
                            .orElseThrow();
                    assertThat(freeUnitsOf(shares.keySet().iterator().next(), need.unit(), taken))
                            .isEqualTo(least);
                });
    }

    @RepeatedTest(CASES)
    void aNodeWithASmallerShareThanAnotherIsFull(RepetitionInfo repetition) {
        DeviceDemand need = anyCase(repetition);

        layout().place(need, taken, lost).ifPresent(devices -> {
            Map<String, Integer> units = new LinkedHashMap<>();
            units(devices, need.unit()).forEach(unit -> units.merge(unit.node(), 1, Integer::sum));
            int largest = units.values().stream().max(Integer::compare).orElseThrow();
            units.forEach((node, count) -> {
                if (count < largest - 1) {
                    assertThat(count).isEqualTo(freeUnitsOf(node, need.unit(), taken));
                }
            });
        });
    }

    private DeviceDemand anyCase(RepetitionInfo repetition) {
        random = new Random(repetition.getCurrentRepetition());
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            nodes.add(new NodeLayout.Node("node" + i, random.nextInt(9)));
        }
        double load = random.nextDouble();
        for (NodeLayout.Node node : nodes) {
            for (int slot = 0; slot < node.slots(); slot++) {
                if (random.nextDouble() < load * load) {
                    taken.add(new DeviceRef(node.name(), slot));
                }
            }
            if (random.nextInt(6) == 0) {
                lost.add(node.name());
            }
        }
        int spread = random.nextInt(4);
        int ranks = spread > 0 && random.nextBoolean() ? spread * (1 + random.nextInt(5)) : 1 + random.nextInt(24);
        return new DeviceDemand(ranks, spread, random.nextInt(5) == 0, 1 + random.nextInt(3));
    }

    private boolean suffices(DeviceDemand need, List<Integer> free) {
        int spread = need.oneNodeOnly() ? Math.max(1, need.nodes()) : need.nodes();
        if (spread == 0) {
            return free.stream().mapToInt(Integer::intValue).sum() * need.unit() >= need.ranks();
        }
        int share = need.ranks() / spread;
        return !(need.oneNodeOnly() && spread > 1)
                && need.ranks() % spread == 0
                && free.stream().filter(units -> units * need.unit() >= share).count() >= spread;
    }

    private List<Integer> freeUnits(int unit, Set<DeviceRef> taken) {
        return nodes.stream()
                .filter(node -> !lost.contains(node.name()))
                .map(node -> freeUnitsOf(node.name(), unit, taken))
                .toList();
    }

    private int freeUnitsOf(String node, int unit, Set<DeviceRef> taken) {
        int free = 0;
        for (int first = 0; first + unit <= slots(node); first += unit) {
            boolean isFree = true;
            for (int slot = first; slot < first + unit; slot++) {
                isFree &= !taken.contains(new DeviceRef(node, slot));
            }
            free += isFree ? 1 : 0;
        }
        return free;
    }

    /** Units as references to their numbers. */
    private static Set<DeviceRef> units(Iterable<DeviceRef> devices, int unit) {
        Set<DeviceRef> units = new HashSet<>();
        devices.forEach(device -> units.add(new DeviceRef(device.node(), device.id() / unit)));
        return units;
    }

    private Map<String, Integer> shares(List<DeviceRef> devices) {
        Map<String, Integer> shares = new LinkedHashMap<>();
        devices.forEach(device -> shares.merge(device.node(), 1, Integer::sum));
        return shares;
    }

    private int slots(String node) {
        return nodes.stream()
                .filter(each -> each.name().equals(node))
                .findFirst()
                .orElseThrow()
                .slots();
    }

    private NodeLayout layout() {
        return new NodeLayout(nodes);
    }
}
