package org.rankunit.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.cli.text.TextTable.Column;
import org.rankunit.cli.text.TextTable.Spare;

@Tag("unit")
class TextTableTest {

    private static final TextTable TABLE = new TextTable(
            List.of(Column.whole("ID"), new Column("WHY", Spare.END), new Column("TEST", Spare.FRONT)),
            List.of(
                    List.of("0", "it did not answer in time", "org.example.collectives.AllReduceTest"),
                    List.of("11", "", "")));

    @Test
    void columnsAreAsWideAsTheirLongestCell() {
        assertThat(TABLE.lines(80))
                .containsExactly(
                        "ID  WHY                        TEST",
                        "0   it did not answer in time  org.example.collectives.AllReduceTest",
                        "11");
    }

    @Test
    void theWidestColumnIsCutFirstWhereItMattersLeast() {
        assertThat(TABLE.lines(60))
                .containsExactly(
                        "ID  WHY                        TEST",
                        "0   it did not answer in time  ....collectives.AllReduceTest",
                        "11");
    }

    @Test
    void noColumnIsCutToNothing() {
        assertThat(TABLE.lines(10))
                .containsExactly("ID  WHY               TEST", "0   it did not an...  ...AllReduceTest", "11");
    }
}
