package org.rankunit.engine.merge.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.protocol.FromRank;
import org.rankunit.engine.protocol.Phase;

@Tag("unit")
class RoundStatisticsTest {

    private static final long MILLI = 1_000_000;

    @Test
    void aTestWithoutRoundsHasNone() {
        assertThat(RoundStatistics.of(new TreeMap<>(), 2)).isEmpty();
    }

    @Test
    void theSlowestAndTheFastestRankOfEachRoundAreKnown() {
        RoundStatistics statistics = statistics(
                rounds(2, List.of(0L, 100L), List.of(30L, 140L)), rounds(2, List.of(5L, 98L), List.of(25L, 160L)));

        assertThat(statistics.rounds())
                .containsExactly(
                        new RoundStatistics.Round(0, 1, 30, 20, 5), new RoundStatistics.Round(1, 0, 62, 40, 2));
        assertThat(statistics.dropped()).isZero();
    }

    @Test
    void aRoundThatARankLacksIsLeftOutAndCounted() {
        RoundStatistics statistics =
                statistics(rounds(3, List.of(0L, 100L), List.of(30L, 140L)), rounds(3, List.of(5L), List.of(25L)));

        assertThat(statistics.rounds()).hasSize(1);
        assertThat(statistics.dropped()).isEqualTo(2);
        assertThat(statistics.phases())
                .containsExactly(
                        new RoundStatistics.OfPhase(0, Phase.RUN, 30, 30, 30),
                        new RoundStatistics.OfPhase(1, Phase.RUN, 20, 20, 20));
    }

    @Test
    void noRoundIsCompleteIfARankReportedNone() {
        TreeMap<Integer, FromRank.Rounds> one = new TreeMap<>();
        one.put(0, rounds(3, List.of(0L), List.of(30L)));

        RoundStatistics statistics = RoundStatistics.of(one, 2).orElseThrow();

        assertThat(statistics.rounds()).isEmpty();
        assertThat(statistics.phases()).isEmpty();
        assertThat(statistics.text()).isEqualTo("0 rounds (3 more did not end on every rank)");
    }

    @Test
    void percentilesAreThoseOfNearestRank() {
        List<Long> begins = LongStream.range(0, 200).mapToObj(i -> 1000 * i).toList();
        List<Long> ends =
                LongStream.range(0, 200).mapToObj(i -> 1000 * i + 200 - i).toList();

        RoundStatistics statistics = statistics(rounds(200, begins, ends));

        assertThat(statistics.phases()).containsExactly(new RoundStatistics.OfPhase(0, Phase.RUN, 1, 100, 198));
    }

    @Test
    void theTextSaysWhoWasSlowest() {
        RoundStatistics statistics = statistics(
                rounds(3, List.of(0L, 0L, 0L), List.of(3 * MILLI, MILLI, MILLI)),
                rounds(3, List.of(MILLI, 0L, 0L), List.of(2 * MILLI, 2 * MILLI, 4 * MILLI)));

        assertThat(statistics.text())
                .isEqualTo(
                        "3 rounds: min 2.0 ms, median 3.0 ms, p99 4.0 ms on the slowest rank, which was rank 1 in 2 of 3;"
                                + " start skew median 0.0 ms, p99 1.0 ms");
    }

    private static RoundStatistics statistics(FromRank.Rounds... byRank) {
        TreeMap<Integer, FromRank.Rounds> all = new TreeMap<>();
        for (int rank = 0; rank < byRank.length; rank++) {
            all.put(rank, byRank[rank]);
        }
        Optional<RoundStatistics> found = RoundStatistics.of(all, byRank.length);
        return found.orElseThrow();
    }

    private static FromRank.Rounds rounds(int measured, List<Long> begins, List<Long> ends) {
        List<Long> nanos = LongStream.range(0, begins.size())
                .mapToObj(i -> ends.get((int) i) - begins.get((int) i))
                .toList();
        return new FromRank.Rounds(
                "test",
                measured,
                0,
                ends.size(),
                begins,
                ends,
                List.of(new FromRank.Rounds.PhaseTimes(Phase.RUN, nanos)));
    }
}
