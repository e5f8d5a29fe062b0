package org.rankunit.pool.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class DeviceListTest {

    @Test
    void idsAndRangesAreReadInAnyOrder() {
        assertThat(DeviceList.parse("4-7")).containsExactly(4, 5, 6, 7);
        assertThat(DeviceList.parse("0,2,5")).containsExactly(0, 2, 5);
        assertThat(DeviceList.parse("0,2-4,7")).containsExactly(0, 2, 3, 4, 7);
        assertThat(DeviceList.parse(" 9 , 2 - 3, 007-8")).containsExactly(2, 3, 7, 8, 9);
        assertThat(DeviceList.parse("3-3")).containsExactly(3);
    }

    @Test
    void idsAreWrittenAsRangesWhereTheyTouch() {
        assertThat(DeviceList.format(List.of(0, 1, 2, 3, 5))).isEqualTo("0-3, 5");
        assertThat(DeviceList.format(List.of(7, 0, 1))).isEqualTo("0-1, 7");
        assertThat(DeviceList.format(List.of())).isEqualTo("none");
    }

    @Test
    void whatIsWrittenIsReadBack() {
        Random random = new Random(20261121);
        for (int round = 0; round < 1000; round++) {
            TreeSet<Integer> ids = new TreeSet<>();
            int range = 1 + random.nextInt(random.nextBoolean() ? 40 : DeviceList.MAX_ID);
            for (int i = random.nextInt(40); i >= 0; i--) {
                ids.add(random.nextInt(range + 1));
            }
            List<Integer> shuffled = new ArrayList<>(ids);
            Collections.shuffle(shuffled, random);
            String text = DeviceList.format(shuffled);
            assertThat(DeviceList.parse(text)).as(text).containsExactlyElementsOf(ids);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0,x-3 | \"x-3\" is neither a device id nor a range of them",
                "1,,2 | \"\" is neither a device id nor a range of them",
                "-1 | \"-1\" is neither a device id nor a range of them",
                "1-2-3 | \"1-2-3\" is neither a device id nor a range of them",
                "7-4 | \"7-4\" runs backwards",
                "0,0-2 | \"0-2\" names device 0 a second time",
                "0-10000 | device 10000 is above the highest id, 9999",
                "99999999999999999999 | device 99999999999999999999 is above the highest id, 9999",
            })
    void anErrorNamesTheBadPart(String text, String what) {
        assertThatThrownBy(() -> DeviceList.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("\"" + text + "\": " + what
                        + ".\nGive ids and ranges with commas between them, such as 0,2-4,7.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void aListOfNothingIsRefused(String text) {
        assertThatThrownBy(() -> DeviceList.parse(text)).hasMessageContaining("it names no device");
    }
}
