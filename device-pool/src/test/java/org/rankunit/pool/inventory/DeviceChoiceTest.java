package org.rankunit.pool.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class DeviceChoiceTest {

    private static final TopologyRules A3 =
            new TopologyRules("Atlas A3", new TreeSet<>(List.of(1, 2, 4, 6, 8, 10, 12, 14, 16)), true, 0, false);
    private static final TopologyRules A910 =
            new TopologyRules("910", new TreeSet<>(List.of(1, 2, 4, 8)), false, 4, false);
    private static final TopologyRules BOX16 = new TopologyRules(
            "A2 Box16", new TreeSet<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16)), false, 8, true);

    private final DeviceChoice flat = new DeviceChoice(Inventory.ofFirst(8, "a2a3"));
    private final DeviceChoice pairs = numbered(A3, 16, 0, 2);
    private final DeviceChoice rings = numbered(A910, 8, 4, 1);
    private final DeviceChoice box = numbered(BOX16, 16, 8, 1);

    @Test
    void theLowestRunOfNeighboursIsPreferred() {
        assertThat(choose(flat, 2, 0, 2, 5, 6, 7)).containsExactly(5, 6);
    }

    @Test
    void withoutARunTheLowestAreTaken() {
        assertThat(choose(flat, 3, 0, 2, 3, 5, 6)).containsExactly(0, 2, 3);
    }

    @Test
    void withTooFewThereIsNone() {
        assertThat(choose(flat, 3, 0, 5)).isEmpty();
        assertThat(choose(flat, 1, 8, 9)).as("not of the inventory").isEmpty();
    }

    @Test
    void pairsOfDiesAreNotTornApart() {
        assertThat(choose(pairs, 2, 1, 2, 4, 5)).containsExactly(4, 5);
        assertThat(choose(pairs, 4, 0, 2, 3, 5, 8, 9)).containsExactly(2, 3, 8, 9);
        assertThat(choose(pairs, 4, 0, 1, 2, 5, 7, 9)).isEmpty();
        assertThat(choose(pairs, 2, 1, 2)).as("neighbours of two pairs").isEmpty();
    }

    @Test
    void aSingleDieComesFromAPairThatIsBrokenAlready() {
        assertThat(choose(pairs, 1, 0, 1, 5)).containsExactly(5);
        assertThat(choose(pairs, 1, 2, 3)).containsExactly(2);
    }

    @Test
    void anOddNumberOfDiesNeverFits() {
        assertThat(pairs.whyNever(3))
                .contains(
                        "needs 3 devices, a2a3 has 16 (0-15), and Atlas A3 gives 1-2, 4, 6, 8, 10, 12, 14, 16 at once");
        assertThat(pairs.whyNever(18)).contains("needs 18 devices, a2a3 has 16");
        assertThat(pairs.whyNever(4)).isEmpty();
    }

    @Test
    void aSliceThatCutsAPairCanLendItsHalfAloneOnly() {
        List<Integer> slice = List.of(1, 2, 3, 4);
        DeviceChoice cut = new DeviceChoice(new Inventory(
                "a2a3",
                slice,
                Topology.numbered(A3, IntStream.range(0, 16).boxed().toList(), 0, 2)));
        assertThat(choose(cut, 2, 1, 2, 3, 4)).containsExactly(2, 3);
        assertThat(cut.whyNever(4))
                .contains("needs 4 devices, a2a3 has 4 (1-4), and Atlas A3 gives whole packages only");
    }

    @Test
    void upToFourDevicesOfARingMachineLieInsideOneRing() {
        assertThat(choose(rings, 4, 1, 2, 3, 4, 5, 6, 7)).containsExactly(4, 5, 6, 7);
        assertThat(choose(rings, 4, 1, 2, 3, 5, 6, 7)).isEmpty();
        assertThat(choose(rings, 2, 3, 4)).isEmpty();
        assertThat(choose(rings, 8, 0, 1, 2, 3, 4, 5, 6, 7)).hasSize(8);
    }

    @Test
    void theFullerGroupIsLeftWhole() {
        assertThat(choose(rings, 2, 0, 1, 2, 3, 5, 6, 7)).containsExactly(5, 6);
    }

    @Test
    void aLargeRequestIsCutEvenlyWhereTheRulesSaySo() {
        assertThat(choose(box, 10, IntStream.range(0, 16).toArray())).containsExactly(0, 1, 2, 3, 4, 8, 9, 10, 11, 12);
        assertThat(choose(box, 10, IntStream.range(2, 16).filter(i -> i > 5).toArray()))
                .as("two of the first group, eight of the second")
                .isEmpty();
        assertThat(box.whyNever(9)).isPresent();
    }

    @Test
    void whatGroupsDoNotForbidIsTakenFromAsFewGroupsAsPossible() {
        DeviceChoice three = new DeviceChoice(new Inventory(
                "a2a3",
                IntStream.range(0, 12).boxed().toList(),
                Topology.numbered(
                        TopologyRules.NONE, IntStream.range(0, 12).boxed().toList(), 4, 1)));
        assertThat(choose(three, 6, 0, 1, 2, 4, 8, 9, 10, 11)).containsExactly(0, 1, 8, 9, 10, 11);
    }

    @Test
    void whateverIsFreeTheChoiceKeepsTheRules() {
        Random random = new Random(7);
        for (DeviceChoice choice : List.of(flat, pairs, rings, box)) {
            for (int round = 0; round < 3000; round++) {
                BitSet free = new BitSet();
                choice.all().stream().filter(device -> random.nextInt(4) > 0).forEach(free::set);
                int count = 1 + random.nextInt(16);
                BitSet chosen = choice.choose(free, count);
                if (!chosen.isEmpty()) {
                    assertKept(choice, free, count, chosen);
                } else if (choice.equals(flat)) {
                    assertThat(free.cardinality()).isLessThan(count);
                }
            }
        }
    }

    private static void assertKept(DeviceChoice choice, BitSet free, int count, BitSet chosen) {
        TopologyRules rules = choice.inventory().topology().rules();
        assertThat(chosen.cardinality()).isEqualTo(count);
        assertThat(free.stream().boxed().toList())
                .containsAll(chosen.stream().boxed().toList());
        assertThat(rules.counts().isEmpty() || rules.counts().contains(count)).isTrue();
        List<Integer> perGroup = new ArrayList<>();
        for (SortedSet<Integer> group : choice.inventory().topology().groups()) {
            long inGroup = group.stream().filter(chosen::get).count();
            if (inGroup > 0) {
                perGroup.add((int) inGroup);
            }
        }
        if (count <= rules.withinGroup()) {
            assertThat(perGroup).hasSize(1);
        } else if (rules.evenly()) {
            assertThat(Collections.max(perGroup)).isEqualTo(Collections.min(perGroup));
        }
        if (rules.wholePackages() && count > 1) {
            for (SortedSet<Integer> pair : choice.inventory().topology().packages()) {
                assertThat(pair.stream().filter(chosen::get).count()).isIn(0L, (long) pair.size());
            }
        }
    }

    private static DeviceChoice numbered(TopologyRules rules, int count, int group, int pack) {
        List<Integer> devices = IntStream.range(0, count).boxed().toList();
        return new DeviceChoice(new Inventory("a2a3", devices, Topology.numbered(rules, devices, group, pack)));
    }

    private static List<Integer> choose(DeviceChoice choice, int count, int... free) {
        BitSet bits = new BitSet();
        IntStream.of(free).forEach(bits::set);
        return choice.choose(bits, count).stream().boxed().toList();
    }
}
