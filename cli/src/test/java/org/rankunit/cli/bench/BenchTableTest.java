package org.rankunit.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.DType;
import org.rankunit.cli.bench.BenchRow.Measured;
import org.rankunit.cli.bench.request.Average;
import org.rankunit.collective.call.Collective;
import org.rankunit.collective.call.CollectiveCall;
import org.rankunit.collective.call.MemoryMode;
import org.rankunit.collective.call.Reduction;

@Tag("unit")
class BenchTableTest {

    private static final BenchCase CASE = new BenchCase(
            "MyRing",
            "MyRing",
            CollectiveCall.of(Collective.REDUCE, 4, DType.FLOAT16, 500)
                    .withRoot(2)
                    .withReduction(Reduction.MAX),
            EnumSet.allOf(Place.class));

    @Test
    void columnsStandBelowTheirHeads() {
        BenchRow row = new BenchRow(
                CASE,
                Map.of(
                        Place.OUT_OF_PLACE,
                        new Measured(12.345, OptionalLong.of(3)),
                        Place.IN_PLACE,
                        new Measured(2, OptionalLong.empty())));

        assertThat(BenchTable.head().get(2))
                .isEqualTo("#       size         count      type   redop    root"
                        + "     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong  algorithm");
        assertThat(BenchTable.line(row))
                .isEqualTo("        1000           500      half     max       2"
                        + "    12.35    0.08    0.08       3     2.00    0.50    0.50     N/A  MyRing");
        assertThat(BenchTable.foot(List.of(row)))
                .containsExactly("# Out of bounds values : 3 FAILED", "# Avg bus bandwidth    : 0.290502", "#");
    }

    @Test
    void whatIsNotMeasuredInAPlaceHasNoNumbersThere() {
        Measured measured = new Measured(1, OptionalLong.of(0));
        BenchRow outOfPlace = new BenchRow(CASE, Map.of(Place.OUT_OF_PLACE, measured));
        BenchRow inPlace = new BenchRow(CASE, Map.of(Place.IN_PLACE, measured));

        assertThat(BenchTable.line(outOfPlace)).endsWith("       0      N/A     N/A     N/A     N/A  MyRing");
        assertThat(BenchTable.line(inPlace))
                .contains("       2      N/A     N/A     N/A     N/A     1.00")
                .endsWith("       0  MyRing");
        assertThat(BenchTable.foot(List.of(outOfPlace, inPlace))).contains("# Out of bounds values : 0 OK");
    }

    @ParameterizedTest
    @CsvSource({"1.004, 1.00", "9999.99, 9999.99", "12345.67, 12345.7", "1234567.8, 1234568", "123456789, 1.2e+08"})
    void largeNumbersLoseDecimalsBeforeColumnsMove(double value, String text) {
        assertThat(BenchTable.number(value, 7)).isEqualTo(text);
    }

    @Test
    void ranksAreTimedTogetherAndTheirWrongValuesAdded() {
        List<Measured> ranks = List.of(new Measured(1, OptionalLong.of(2)), new Measured(5, OptionalLong.of(3)));

        assertThat(Measured.of(Average.MAX, ranks)).isEqualTo(new Measured(5, OptionalLong.of(5)));
    }

    @Test
    void aRankReadsTheCaseThatItsParentWrote() {
        BenchCase single = new BenchCase(
                "A",
                "A",
                CASE.call().withMemory(MemoryMode.SINGLE_OPERATOR, CASE.call().cclBytes()),
                EnumSet.of(Place.IN_PLACE));

        assertThat(BenchCase.parse(CASE.line())).isEqualTo(CASE);
        assertThat(BenchCase.parse(single.line())).isEqualTo(single);
    }

    @Test
    void aParentReadsWhatItsRankSays() {
        List<RankLine> lines = List.of(
                new RankLine.Goes(),
                new RankLine.Done(),
                new RankLine.Failed(true, "a; b"),
                new RankLine.Failed(false, ""),
                new RankLine.Told(Map.of(Place.OUT_OF_PLACE, new Measured(1.5, OptionalLong.empty()))),
                new RankLine.Told(Map.of(Place.IN_PLACE, new Measured(1.5, OptionalLong.of(4)))),
                new RankLine.Told(Map.of(
                        Place.OUT_OF_PLACE,
                        new Measured(1.5, OptionalLong.of(7)),
                        Place.IN_PLACE,
                        new Measured(2, OptionalLong.of(0)))));

        assertThat(lines)
                .allSatisfy(line -> assertThat(RankLine.parse(line.line())).contains(line));
        assertThat(new RankLine.Failed(false, "one\n\ttwo").line()).endsWith("failed\tone; two");
        assertThat(RankLine.parse("WARNING: something")).isEmpty();
    }
}
