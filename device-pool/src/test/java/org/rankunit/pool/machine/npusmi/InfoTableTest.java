package org.rankunit.pool.machine.npusmi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.pool.machine.Sample;

@Tag("unit")
class InfoTableTest {

    @Test
    void onA2EachNpuHasOneChipAndNoPhysicalId() {
        InfoTable table = InfoTable.parse(Sample.text("a2-info.txt"));

        assertThat(table.damaged()).isZero();
        assertThat(table.hasPhyIds()).isFalse();
        assertThat(table.chips()).extracting(Chip::npu).containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
        assertThat(table.chips().get(0)).isEqualTo(new Chip(0, 0, null, null, "910B3", "OK", "0000:C1:00.0"));
    }

    @Test
    void onA3TheSecondDieOfAnNpuIsAChipOfItsOwn() {
        InfoTable table = InfoTable.parse(Sample.text("a3-info.txt"));

        assertThat(table.damaged()).isZero();
        assertThat(table.hasPhyIds()).isTrue();
        assertThat(table.chips()).hasSize(16);
        assertThat(table.chips().get(3)).isEqualTo(new Chip(1, 1, null, 3, "Ascend910", "OK", "0000:9B:00.0"));
    }

    @Test
    void onA5ChipsHaveNoNumbersAndPerhapsNoBus() {
        InfoTable table = InfoTable.parse(Sample.text("a5-info.txt"));

        assertThat(table.damaged()).isZero();
        assertThat(table.chips()).hasSize(8);
        assertThat(table.chips().get(7)).isEqualTo(new Chip(7, 0, null, null, "Ascend950DT", "OK", "NA"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a2", "a3", "a5"})
    void widthsOfColumnsDoNotMatter(String kind) {
        String text = Sample.text(kind + "-info.txt");

        assertThat(InfoTable.parse(text.replaceAll(" {2,}", " ")).chips())
                .isEqualTo(InfoTable.parse(text).chips());
        assertThat(InfoTable.parse(text.replaceAll(" {2,}", "          ")).chips())
                .isEqualTo(InfoTable.parse(text).chips());
        assertThat(InfoTable.parse(text.replace("\n", "\r\n").indent(3)).chips())
                .isEqualTo(InfoTable.parse(text).chips());
    }

    @Test
    void orderOfColumnsAndOfNamesWithinThemDoesNotMatter() {
        InfoTable table = InfoTable.parse("""
                | Temp(C) Power(W) | Health | Name NPU |
                | AICore(%) | Bus-Id | Phy-ID Chip |
                +====+
                | 45 100 | Warning | Ascend 910B3 6 |
                | 0 | 0000:C1:00.0 | 13 1 |
                """);

        assertThat(table.chips()).containsExactly(new Chip(6, 1, null, 13, "Ascend 910B3", "Warning", "0000:C1:00.0"));
    }

    @Test
    void moreColumnsThanAreKnownDoNotMatter() {
        InfoTable table = InfoTable.parse("""
                | NPU Name Rev | Health | Mode | Power(W) |
                | Chip | Bus-Id | Lanes | AICore(%) |
                | 2 910B3 V1 | OK | - | 100 |
                | 0 | 0000:C1:00.0 | 16 | 0 |
                """);

        assertThat(table.chips()).containsExactly(new Chip(2, 0, null, null, "910B3", "OK", "0000:C1:00.0"));
    }

    @Test
    void theTableOfProcessesNamesNoChips() {
        assertThat(InfoTable.parse(Sample.text("a2-info.txt")).chips())
                .extracting(Chip::name)
                .containsOnly("910B3");
    }

    @Test
    void outputThatEndsInTheMiddleTellsOfTheChipsBefore() {
        String text = Sample.text("a2-info.txt");

        InfoTable table = InfoTable.parse(text.substring(0, text.indexOf("0000:02:00.0")));

        assertThat(table.chips()).extracting(Chip::npu).containsExactly(0, 1, 2, 3, 4);
        assertThat(table.damaged()).isPositive();
    }

    @Test
    void aLineThatWasOverwrittenCostsItsChipAlone() {
        String text = Sample.text("a2-info.txt").replaceFirst("\\| 3 .*", "| [ERROR] dcmi: timed out |");

        InfoTable table = InfoTable.parse(text);

        assertThat(table.chips()).extracting(Chip::npu).containsExactly(0, 1, 2, 4, 5, 6, 7);
        assertThat(table.damaged()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\n\n",
                "dcmi model initialized failed, because the device is used. ret is -8020",
                "|",
                "||||\n||||\n",
                "| Health |\n| Bus-Id |\n| OK |\n| 0 |",
                "| NPU Name | Health |\n| Chip | Bus-Id |\n| 99999999999 x | OK |\n| 0 | 0 |"
            })
    void anythingElseTellsOfNoChip(String text) {
        assertThat(InfoTable.parse(text).chips()).isEmpty();
    }

    @Test
    void noDamageToTheTextIsAnException() {
        Random random = new Random(20261121);
        List<String> texts = List.of("a2", "a3", "a5").stream()
                .flatMap(kind -> List.of("info", "mapping", "topo").stream().map(what -> kind + "-" + what + ".txt"))
                .map(Sample::text)
                .toList();
        for (int round = 0; round < 2000; round++) {
            StringBuilder text = new StringBuilder(texts.get(random.nextInt(texts.size())));
            for (int damage = random.nextInt(20); damage >= 0; damage--) {
                int at = random.nextInt(text.length());
                text.replace(
                        at, Math.min(text.length(), at + random.nextInt(60)), "|\n -+A7".substring(random.nextInt(7)));
            }
            assertThat(InfoTable.parse(text.toString()).chips()).hasSizeLessThanOrEqualTo(16);
            assertThat(MappingTable.parse(text.toString())).isNotNull();
            assertThat(LinkTable.parse(text.toString()).groups()).isNotNull();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "| NPU Name Name | Health | ; | Chip | Bus-Id | ; name",
                "| NPU Name | Health Health | ; | Chip | Bus-Id | ; health",
                "| NPU Name | Name | Health | ; | Chip | Bus-Id | ; name",
                "| NPU Name | Health | ; | Chip Device Phy-ID | Bus-Id | ; phy-id",
                "| NPU Name | Health | ; | Chip | Bus-Id | Bus-Id | ; bus-id"
            })
    void aColumnThatAHeaderNamesTwiceIsToldAndNothingIsRead(String first, String second, String name) {
        InfoTable table = InfoTable.parse(first + "\n" + second + "\n| 0 910B3 x | OK |\n| 0 | 0000:C1:00.0 |\n");

        assertThat(table.namedTwice()).contains(name);
        assertThat(table.chips()).isEmpty();
    }

    @Test
    void headersOfAnyWordsInAnyOrderAreReadOrRefused() {
        Random random = new Random(20_261_128);
        List<String> words =
                List.of("NPU", "Name", "Health", "Chip", "Bus-Id", "Phy-ID", "Device", "Temp", "Temp", "|");
        int twice = 0;
        for (int round = 0; round < 20_000; round++) {
            StringBuilder text = new StringBuilder();
            for (int line = 0; line < 2; line++) {
                text.append("| NPU Health Bus-Id ", 0, random.nextInt(20));
                for (int word = random.nextInt(6); word > 0; word--) {
                    text.append(' ').append(words.get(random.nextInt(words.size())));
                }
                text.append(" |\n");
            }
            text.append("| 0 910B3 OK x y z |\n".repeat(2)).append("| 0 | 910B3 | OK |\n".repeat(2));
            twice += InfoTable.parse(text.toString()).namedTwice().isPresent() ? 1 : 0;
            assertThat(MappingTable.parse(text.toString())).isNotNull();
            assertThat(LinkTable.parse(text.toString())).isNotNull();
        }
        assertThat(twice).isBetween(100, 19_900);
    }
}
