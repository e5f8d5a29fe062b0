package org.rankunit.pool.machine.npusmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.pool.machine.Sample;

@Tag("unit")
class LinkTableTest {

    @ParameterizedTest
    @CsvSource({"a2, 8, false", "a3, 16, true", "a5, 8, false"})
    void aFullMeshIsOneGroup(String kind, int devices, boolean physical) {
        LinkTable table = LinkTable.parse(Sample.text(kind + "-topo.txt"));

        assertThat(table.physical()).isEqualTo(physical);
        assertThat(table.groups()).containsExactly(range(0, devices));
    }

    @Test
    void devicesThatReachEachOtherOnlyByTheHostAreInDifferentGroups() {
        assertThat(LinkTable.parse(Sample.text("box16-topo.txt")).groups())
                .containsExactlyInAnyOrder(range(0, 8), range(8, 16));
        assertThat(LinkTable.parse(Sample.text("910-topo.txt")).groups())
                .containsExactlyInAnyOrder(range(0, 4), range(4, 8));
    }

    @Test
    void devicesThatReachEachOtherThroughAThirdAreInOneGroup() {
        assertThat(LinkTable.parse("""
                                NPU0 NPU1 NPU2
                                NPU0 X HCCS PIX
                                NPU1 HCCS X HCCS
                                NPU2 PIX HCCS X
                                """).groups()).containsExactly(range(0, 3));
    }

    @Test
    void theOnlyDeviceOfAContainerIsAGroup() {
        assertThat(LinkTable.parse("\t   Phy-ID12\nPhy-ID12   X\n").groups()).isEqualTo(List.of(Set.of(12)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "This device does not support querying topo.",
                "NPU0 NPU1\nNPU0 X HCCS\n",
                "NPU0 NPU1\nNPU0 X HCCS\nNPU1 HCCS\n",
                "NPU0 Phy-ID1\nNPU0 X HCCS\nPhy-ID1 HCCS X\n"
            })
    void whatIsNotAWholeMatrixTellsOfNoGroup(String text) {
        assertThat(LinkTable.parse(text).groups()).isEmpty();
    }

    private static SortedSet<Integer> range(int from, int to) {
        SortedSet<Integer> range = new TreeSet<>();
        IntStream.range(from, to).forEach(id -> range.add(id));
        return range;
    }
}
