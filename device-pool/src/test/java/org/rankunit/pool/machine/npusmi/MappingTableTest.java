package org.rankunit.pool.machine.npusmi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.pool.machine.Sample;

@Tag("unit")
class MappingTableTest {

    @Test
    void onA2ChipsHaveLogicIdsAndNamesWithABlank() {
        assertThat(MappingTable.parse(Sample.text("a2-mapping.txt")))
                .hasSize(8)
                .contains(new Chip(5, 0, 5, null, "Ascend 910B3", "", ""));
    }

    @Test
    void onA3ChipsHaveBothIds() {
        assertThat(MappingTable.parse(Sample.text("a3-mapping.txt")))
                .hasSize(16)
                .contains(new Chip(6, 1, 13, 13, "Ascend910", "", ""));
    }

    @Test
    void onA5ChipsHavePhysicalIdsAlone() {
        assertThat(MappingTable.parse(Sample.text("a5-mapping.txt")))
                .hasSize(8)
                .contains(new Chip(3, 0, null, 3, "Ascend950DT", "", ""));
    }

    @Test
    void widthsAndOrderOfColumnsDoNotMatter() {
        assertThat(MappingTable.parse("""
                        some warning of the driver
                        Chip Name NPU ID Chip Phy-ID Chip ID
                        Ascend 910B3 4 9 1
                        """)).containsExactly(new Chip(4, 1, null, 9, "Ascend 910B3", "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "Invalid option -m", "NPU ID  Chip ID  Chip Logic ID  Chip Name\n0 0\n- - - -\n0 0 x y"})
    void anythingElseTellsOfNoChip(String text) {
        assertThat(MappingTable.parse(text)).isEmpty();
    }
}
