package org.rankunit.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class SurefireTest {

    @ParameterizedTest
    @CsvSource({
        "2.22.2, true, true",
        "3.0.0-M7, false, true",
        "3.2.5, false, true",
        "3.5.5, false, true",
        "3.5.6, false, false",
        "3.5.10, false, false",
        "3.6.1, false, false",
        "4.0.0-beta-1, false, false"
    })
    void versionsBeforeThreeLoseTestsAndThoseBeforeTheOldestTestedAreToldOf(
            String version, boolean tooOld, boolean told) {
        assertThat(new Surefire(version).isTooOld()).isEqualTo(tooOld);
        assertThat(new Surefire(version).warning().isPresent()).isEqualTo(told);
    }

    @Test
    void theOneThatRunsThisBuildIsKnown() {
        assertThat(Surefire.calling()).get().matches(surefire -> !surefire.isTooOld());
    }
}
