package org.rankunit.engine.slurm.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.protocol.DeviceRef;

@Tag("unit")
class NodeLayoutTest {

    @Test
    void slotsAreGivenOutFromTheLowest() {
        assertThat(place(layout(8), anywhere(3))).containsExactly("a0", "a1", "a2");
        assertThat(place(layout(8), anywhere(2), "a0", "a2")).containsExactly("a1", "a3");
    }

    @Test
    void ofNodesWithRoomTheFullestIsChosen() {
        assertThat(place(layout(8, 8, 8), anywhere(2), "b0", "b1", "b2", "b3", "b4", "c0"))
                .containsExactly("b5", "b6");
    }

    @Test
    void ofNodesWithEqualRoomTheFirstIsChosen() {
        assertThat(place(layout(8, 4, 4), anywhere(2))).containsExactly("b0", "b1");
    }

    @Test
    void whatDoesNotFitOnOneNodeIsSpreadEvenlyOverTheFewest() {
        assertThat(place(layout(4, 4, 4), anywhere(6))).containsExactly("a0", "a1", "a2", "b0", "b1", "b2");
        assertThat(place(layout(4, 4, 4), anywhere(5))).containsExactly("a0", "a1", "a2", "b0", "b1");
    }

    @Test
    void sharesAreUnevenOnlyWhereRoomIsMissing() {
        assertThat(place(layout(1, 6), anywhere(7))).containsExactly("a0", "b0", "b1", "b2", "b3", "b4", "b5");
        assertThat(place(layout(5, 1, 5), anywhere(9)))
                .containsExactly("a0", "a1", "a2", "a3", "a4", "c0", "c1", "c2", "c3");
        assertThat(place(layout(3, 6, 6), anywhere(13)))
                .containsExactly("a0", "a1", "a2", "b0", "b1", "b2", "b3", "b4", "c0", "c1", "c2", "c3", "c4");
    }

    @Test
    void ranksAreNumberedInTheOrderOfTheAllocation() {
        assertThat(place(layout(8, 4), onNodes(8, 2))).containsExactly("a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3");
        assertThat(place(layout(8, 4), onNodes(2, 2), "a0")).containsExactly("a1", "b0");
    }

    @Test
    void equalSharesGoToTheFullestNodesThatHaveThem() {
        assertThat(place(layout(8, 4, 2, 1), onNodes(4, 2))).containsExactly("b0", "b1", "c0", "c1");
    }

    @Test
    void simulatorsShareOneNodeThoughOthersAreFree() {
        DeviceDemand need = new DeviceDemand(6, 0, true, 1);

        assertThat(layout(4, 4).place(need, Set.of(), Set.of())).isEmpty();
        assertThat(place(layout(4, 8), need)).containsExactly("b0", "b1", "b2", "b3", "b4", "b5");
    }

    @Test
    void aUnitOfWhichOneSlotIsTakenIsNotGivenOut() {
        assertThat(place(layout(8), new DeviceDemand(2, 0, false, 2), "a0", "a5"))
                .containsExactly("a2", "a3");
    }

    @Test
    void anIncompleteUnitIsNotGivenOut() {
        assertThat(layout(3).place(new DeviceDemand(3, 0, false, 2), Set.of(), Set.of()))
                .isEmpty();
    }

    @Test
    void onlyTheLastNodeUsesAPartOfAUnit() {
        assertThat(place(layout(4, 4), new DeviceDemand(5, 0, false, 2))).containsExactly("a0", "a1", "a2", "a3", "b0");
    }

    @Test
    void lostNodesAreNotUsed() {
        assertThat(layout(4, 8).place(anywhere(2), Set.of(), Set.of("a")))
                .contains(List.of(new DeviceRef("b", 0), new DeviceRef("b", 1)));
    }

    @Test
    void aNodeIsListedOnce() {
        List<NodeLayout.Node> twice = List.of(new NodeLayout.Node("a", 1), new NodeLayout.Node("a", 2));

        assertThatIllegalArgumentException().isThrownBy(() -> new NodeLayout(twice));
    }

    /** Ranks, nodes, whether they must share one node, unit, lost nodes. Nodes a, b and c have 8, 8 and 5 slots. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "12 | 1 | false | 1 | ''  | it needs 12 devices on one node,"
                        + " and no node of the allocation has more than 8",
                "12 | 0 | true  | 1 | ''  | it needs 12 devices on one node,"
                        + " and no node of the allocation has more than 8",
                " 6 | 1 | false | 1 | a,b | it needs 6 devices on one node,"
                        + " and no node of the allocation has more than 5 (a, b are lost)",
                "22 | 0 | false | 1 | ''  | it needs 22 devices, and the allocation has 21",
                "21 | 0 | false | 2 | ''  | it needs 21 devices, and the allocation has 20 in units of 2",
                "14 | 0 | false | 1 | a   | it needs 14 devices, and the allocation has 13 (a is lost)",
                " 1 | 0 | false | 1 | a,b,c | it needs 1 device, and the allocation has 0 (a, b, c are lost)",
                " 4 | 4 | false | 1 | ''  | it needs 4 nodes, and the allocation has 3",
                " 3 | 3 | false | 1 | c   | it needs 3 nodes, and the allocation has 2 (c is lost)",
                "18 | 3 | false | 1 | ''  | it needs 6 devices on each of 3 nodes,"
                        + " and only 2 nodes of the allocation have that many",
                "12 | 2 | false | 1 | b   | it needs 6 devices on each of 2 nodes,"
                        + " and only 1 node of the allocation has that many (b is lost)",
                "18 | 2 | false | 1 | ''  | it needs 9 devices on each of 2 nodes,"
                        + " and no node of the allocation has that many",
                "15 | 3 | false | 2 | ''  | it needs 5 devices on each of 3 nodes,"
                        + " and only 2 nodes of the allocation have that many in units of 2",
                " 5 | 2 | false | 1 | ''  | it needs equal shares on 2 nodes, and 5 is not a multiple of 2",
                " 4 | 2 | true  | 1 | ''  | it needs 2 nodes, and its ranks must share one node",
            })
    void theSentenceHasTheNumbersThatContradictEachOther(
            int ranks, int nodes, boolean oneNodeOnly, int unit, String lost, String sentence) {
        DeviceDemand need = new DeviceDemand(ranks, nodes, oneNodeOnly, unit);

        assertThat(layout(8, 8, 5).whyNever(need, Set.of(lost.split(",")))).contains(sentence);
    }

    @Test
    void manyLostNodesAreCounted() {
        assertThat(layout(1, 1, 1, 1, 1).whyNever(anywhere(2), Set.of("a", "b", "c", "d")))
                .contains("it needs 2 devices, and the allocation has 1 (4 nodes are lost)");
    }

    private static DeviceDemand anywhere(int ranks) {
        return new DeviceDemand(ranks, 0, false, 1);
    }

    private static DeviceDemand onNodes(int ranks, int nodes) {
        return new DeviceDemand(ranks, nodes, false, 1);
    }

    /** Nodes a, b, c and so on. */
    private static NodeLayout layout(int... slots) {
        return new NodeLayout(IntStream.range(0, slots.length)
                .mapToObj(i -> new NodeLayout.Node(String.valueOf((char) ('a' + i)), slots[i]))
                .toList());
    }

    private static List<String> place(NodeLayout layout, DeviceDemand need, String... taken) {
        Set<DeviceRef> devices = Arrays.stream(taken)
                .map(each -> new DeviceRef(each.substring(0, 1), Integer.parseInt(each.substring(1))))
                .collect(Collectors.toSet());
        return layout.place(need, devices, Set.of()).orElseThrow().stream()
                .map(device -> device.node() + device.id())
                .toList();
    }
}
