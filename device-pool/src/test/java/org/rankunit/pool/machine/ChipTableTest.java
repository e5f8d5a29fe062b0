package org.rankunit.pool.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.pool.inventory.TopologyRules;

@Tag("unit")
class ChipTableTest {

    @ParameterizedTest
    @CsvSource({
        "910B1,        false, 7,  a2a3, Atlas A2",
        "910B3,        false, 7,  a2a3, Atlas A2",
        "Ascend 910B3, false, 0,  a2a3, Atlas A2",
        "Ascend910B2C, false, 7,  a2a3, Atlas A2",
        "910B4-1,      false, 7,  a2a3, Atlas A2",
        "910B3,        false, 15, a2a3, Atlas A2 Box16",
        "Ascend910,    true,  15, a2a3, Atlas A3",
        "910_9391,     false, 15, a2a3, Atlas A3",
        "Ascend910_9382, true, 1, a2a3, Atlas A3",
        "910A,         false, 7,  ascend910, Ascend 910",
        "910ProB,      false, 7,  ascend910, Ascend 910",
        "Ascend910,    false, 7,  ascend910, Ascend 910",
        "Ascend950DT,  false, 7,  a5,   Ascend 950",
        "Ascend950PR,  false, 3,  a5,   Ascend 950",
    })
    void aChipTellsItsPlatformAndTheKindOfItsMachine(
            String name, boolean dual, int highestId, String platform, String kind) {
        assertThat(ChipTable.find(name, dual, highestId)).hasValueSatisfying(row -> {
            assertThat(row.platform()).isEqualTo(platform);
            assertThat(row.rules().name()).isEqualTo(kind);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "310P3", "Ascend310", "910D", "B910B3", "910BX", "Mcu"})
    void anyOtherChipIsUnknown(String name) {
        assertThat(ChipTable.find(name, false, 7)).isEmpty();
    }

    @Test
    void rulesAreThoseOfTheVendorsScheduler() {
        assertThat(rules("910A", 7)).isEqualTo(new TopologyRules("Ascend 910", sorted(1, 2, 4, 8), false, 4, false));
        assertThat(rules("910B3", 7)).isEqualTo(new TopologyRules("Atlas A2", sorted(), false, 0, false));
        assertThat(rules("910B3", 15))
                .isEqualTo(new TopologyRules(
                        "Atlas A2 Box16", sorted(1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16), false, 8, true));
        assertThat(rules("910_9391", 15))
                .isEqualTo(new TopologyRules("Atlas A3", sorted(1, 2, 4, 6, 8, 10, 12, 14, 16), true, 0, false));
        assertThat(rules("950PR", 7)).isEqualTo(new TopologyRules("Ascend 950", sorted(), false, 0, false));
    }

    private static TopologyRules rules(String chip, int highestId) {
        return ChipTable.find(chip, false, highestId).orElseThrow().rules();
    }

    private static SortedSet<Integer> sorted(Integer... counts) {
        return new TreeSet<>(List.of(counts));
    }
}
