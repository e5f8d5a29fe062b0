package org.rankunit.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.rankunit.engine.plan.PlannedClasses.keyOf;
import static org.rankunit.engine.plan.PlannedClasses.planOf;
import static org.rankunit.engine.plan.PlannedClasses.planned;
import static org.rankunit.engine.plan.PlannedClasses.recorded;
import static org.rankunit.engine.plan.PlannedClasses.running;
import static org.rankunit.engine.plan.PlannedClasses.test;
import static org.rankunit.engine.plan.PlannedClasses.took;

import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rankunit.engine.config.Platform;

@Tag("unit")
class DurationsTest {

    private static final Map<String, Recorded> START_OF_TWO = Map.of("[2 ranks, a2a3sim]", recorded(2, 400_000L));

    @Test
    void aGroupIsExpectedToTakeHalfAsLongAgainAsUsualAndItsStart() {
        Durations durations = Durations.of(Map.of("A", took(100_000, 2)), START_OF_TWO);

        assertThat(durations.expected(group(running("A", 2)))).contains(Duration.ofMillis(150 + 400));
    }

    @Test
    void theTestsWithoutARecordAreExpectedToBeLikeTheOthers() {
        Durations durations = Durations.of(
                Map.of("A", Map.of(keyOf("a()", 2), recorded(2, 100_000L), keyOf("b()", 2), recorded(2, 200_000L))),
                Map.of());
        TestDecision runs = new TestDecision.Runs(Platform.A2A3SIM, List.of());
        ClassPlan plan = planOf(
                "A",
                List.of(
                        planned(test("A", "a()", 2), runs),
                        planned(test("A", "b()", 2), runs),
                        planned(test("A", "new()", 2), runs)));

        assertThat(durations.expected(group(plan))).contains(Duration.ofMillis(450 * 3 / 2));
    }

    @Test
    void whatAClassTakesBesideItsTestsIsExpectedOnce() {
        Map<String, Recorded> recorded = new TreeMap<>(took(100_000, 2));
        recorded.put("beside its tests [2 ranks, a2a3sim]", recorded(2, 60_000L));
        TestDecision runs = new TestDecision.Runs(Platform.A2A3SIM, List.of());
        ClassPlan plan = planOf("A", List.of(planned(test("A", "a()", 2), runs), planned(test("A", "new()", 2), runs)));

        assertThat(Durations.of(Map.of("A", recorded), Map.of()).expected(group(plan)))
                .contains(Duration.ofMillis((100 + 100 + 60) * 3 / 2));
    }

    @Test
    void nothingIsExpectedOfWhatNeverRanOnThisVariant() {
        Durations durations = Durations.of(Map.of("A", took(100_000, 2)), START_OF_TWO);

        assertThat(durations.expected(group(running("B", 2)))).isEmpty();
        assertThat(durations.expected(group(running("A", 4)))).isEmpty();
        assertThat(Durations.NONE.expected(group(running("A", 2)))).isEmpty();
    }

    @Test
    void oneOddTimeIsOutvoted() {
        assertThat(recorded(2, 10L, 12L, 9000L, 11L, 10L).usual()).isEqualTo(11);
        assertThat(recorded(2, 10L, 12L).usual()).isEqualTo(12);
    }

    @Test
    void onlyTheLastFewTimesCount() {
        Recorded known = recorded(2, 1L, 2L, 3L, 4L, 5L);
        Recorded next = Recorded.first("a2a3sim", 2, LocalDate.parse("2026-03-02"), 6);

        assertThat(known.then(next)).isEqualTo(new Recorded("a2a3sim", 2, "2026-03-02", List.of(2L, 3L, 4L, 5L, 6L)));
    }

    @Test
    void whatIsMeasuredGoesOnWhereThePastLeftOff() {
        Durations present = Durations.of(Map.of("A", took(10, 2)), START_OF_TWO);
        Durations before = Durations.of(Map.of("A", took(5, 2), "B", took(20, 1), "C", took(7, 1)), Map.of());
        Durations measured = Durations.of(Map.of("A", took(11, 2), "B", took(22, 1)), START_OF_TWO);

        assertThat(present.with(measured, before))
                .isEqualTo(Durations.of(
                        Map.of(
                                "A", Map.of(keyOf("a()", 2), recorded(2, 10L, 11L)),
                                "B", Map.of(keyOf("a()", 1), recorded(1, 20L, 22L))),
                        Map.of("[2 ranks, a2a3sim]", recorded(2, 400_000L, 400_000L))));
    }

    @ParameterizedTest
    @CsvSource({"90, true", "91, false"})
    void whatHasNotRunForLongIsForgotten(int days, boolean kept) {
        LocalDate today = LocalDate.parse("2026-06-01");
        Durations old = one("Old", today.minusDays(days));

        assertThat(old.with(one("New", today), Durations.NONE).classes().containsKey("Old"))
                .isEqualTo(kept);
    }

    @Test
    void ofTooManyTheNewestAreKept() {
        Map<String, Map<String, Recorded>> many = new TreeMap<>();
        for (int i = 0; i < Durations.MAX_KEPT; i++) {
            many.put("Class" + i, took(1, 1));
        }
        LocalDate later = LocalDate.parse("2026-03-02");

        Durations kept = Durations.of(many, Map.of()).with(one("New", later), Durations.NONE);

        assertThat(kept.classes()).hasSize(Durations.MAX_KEPT).containsKey("New");
    }

    @Test
    void aFormOfALaterVersionIsNotGuessedAt() {
        assertThatThrownBy(() -> new Durations(2, Map.of(), Map.of()))
                .hasMessage("it has version 2, but this RankUnit knows version 1");
    }

    @Test
    void whatCannotBeADurationIsRefused() {
        assertThatThrownBy(() -> recorded(2, -1L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> recorded(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> recorded(0, 1L)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> recorded(2, Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Durations one(String className, LocalDate day) {
        return Durations.of(Map.of(className, Map.of(keyOf("a()", 1), Recorded.first("a2a3sim", 1, day, 5))), Map.of());
    }

    private static GroupPlan group(ClassPlan plan) {
        return plan.groups().get(0);
    }
}
