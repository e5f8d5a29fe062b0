package org.rankunit.engine.lockstep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.engine.protocol.Failure;
import org.rankunit.engine.protocol.RankOutcome;

@Tag("unit")
class EarlyExitsTest {

    private static final RankOutcome PASSED = new RankOutcome.Passed();
    private static final RankOutcome SKIPPED = new RankOutcome.Skipped("not here");
    private static final RankOutcome GAVE_UP = new RankOutcome.Aborted(new Failure(
            "org.opentest4j.TestAbortedException", "no link", false, null, null, List.of(), null, List.of()));

    private final EarlyExits departures = new EarlyExits(3);

    @Test
    void whatARankHasLeftAndOthersHaveNotEndedIsFound() {
        departures.ended("a", 1, GAVE_UP);

        assertThat(departures.firstLeft(id -> true)).contains("a");
        assertThat(departures.leaver("a")).isEqualTo(1);
    }

    @Test
    void whatAllRanksHaveEndedIsForgottenHoweverTheyDid() {
        departures.ended("a", 1, GAVE_UP);
        departures.ended("a", 0, GAVE_UP);
        departures.ended("a", 2, PASSED);

        assertThat(departures.firstLeft(id -> true)).isEmpty();
    }

    @Test
    void whatRanksEndedWithoutLeavingItIsNotFound() {
        departures.ended("a", 0, PASSED);

        assertThat(departures.firstLeft(id -> true)).isEmpty();
        assertThat(departures.hasEnded("a", 0)).isTrue();
        assertThat(departures.hasEnded("a", 1)).isFalse();
    }

    @Test
    void theFirstThatWasLeftAndIsAskedForIsFound() {
        departures.ended("a", 0, PASSED);
        departures.ended("b", 2, SKIPPED);
        departures.ended("a", 1, GAVE_UP);

        assertThat(departures.firstLeft(id -> true)).contains("b");
        assertThat(departures.firstLeft("a"::equals)).contains("a");
    }

    @Test
    void theLowestRankThatLeftIsNamed() {
        departures.ended("a", 2, SKIPPED);
        departures.ended("a", 1, GAVE_UP);

        assertThat(departures.leaver("a")).isEqualTo(1);
    }
}
