package org.rankunit.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.rankunit.engine.plan.PlannedClasses.running;
import static org.rankunit.engine.plan.PlannedClasses.skipped;
import static org.rankunit.engine.plan.PlannedClasses.took;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class StartOrderTest {

    @Test
    void withoutRecordsTheOrderStays() {
        assertThat(StartOrder.of(List.of(running("A", 1), running("B", 8), running("C", 2)), Durations.NONE, 8))
                .containsExactly(0, 1, 2);
    }

    @Test
    void whatTakesTheMostDevicesForTheLongestTimeComesFirst() {
        Durations durations = durations(Map.of("Short", took(10, 2), "Wide", took(30, 8), "Long", took(100, 2)));

        assertThat(StartOrder.of(List.of(running("Short", 2), running("Long", 2), running("Wide", 8)), durations, 8))
                .containsExactly(2, 1, 0);
    }

    @Test
    void theOrderIsOneInWhichNarrowClassesFillWhatWideOnesLeave() {
        Durations durations =
                durations(Map.of("Six", took(10, 6), "Two", took(10, 2), "Five", took(10, 5), "Three", took(10, 3)));

        assertThat(StartOrder.of(
                        List.of(running("Two", 2), running("Three", 3), running("Five", 5), running("Six", 6)),
                        durations,
                        8))
                .containsExactly(3, 2, 1, 0);
    }

    @Test
    void ofEqualOnesTheFirstComesFirst() {
        Durations durations = durations(Map.of("Wide", took(10, 8), "Twin", took(10, 8)));

        assertThat(StartOrder.of(List.of(running("Wide", 8), running("Twin", 8)), durations, 8))
                .containsExactly(0, 1);
    }

    @Test
    void theVariantsOfAClassCountTogether() {
        Durations durations = durations(Map.of("One", took(50, 2), "Both", took(30, 1, 2)));

        // 30 + 30 against 50.
        assertThat(StartOrder.of(List.of(running("One", 2), running("Both", 1, 2)), durations, 8))
                .containsExactly(1, 0);
    }

    @Test
    void aClassWithoutARecordCountsAsTheMedianOfTheOthers() {
        Durations durations = durations(Map.of("A", took(10, 1), "B", took(20, 1), "C", took(30, 1)));

        assertThat(StartOrder.of(
                        List.of(running("A", 1), running("New", 1), running("B", 1), running("C", 1)), durations, 8))
                .containsExactly(3, 1, 2, 0);
    }

    @Test
    void whatNeedsNoRanksIsNotWaitedFor() {
        assertThat(StartOrder.of(
                        List.of(running("A", 1), skipped("None"), running("B", 1)),
                        durations(Map.of("B", took(20, 1), "A", took(10, 1))),
                        8))
                .containsExactly(1, 2, 0);
    }

    @RepeatedTest(50)
    void everyClassIsBegunOnceWhateverIsKnown(RepetitionInfo repetition) {
        Random random = new Random(repetition.getCurrentRepetition());
        List<ClassPlan> plans = new ArrayList<>();
        Map<String, Map<String, Recorded>> known = new TreeMap<>();
        for (int i = random.nextInt(30); i > 0; i--) {
            int ranks = 1 + random.nextInt(8);
            plans.add(random.nextInt(5) == 0 ? skipped("C" + i) : running("C" + i, ranks));
            if (random.nextBoolean()) {
                known.put("C" + i, took(random.nextInt(1000), ranks));
            }
        }

        assertThat(StartOrder.of(plans, durations(known), 8))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, plans.size()).boxed().toList());
    }

    private static Durations durations(Map<String, Map<String, Recorded>> classes) {
        return Durations.of(classes, Map.of());
    }
}
