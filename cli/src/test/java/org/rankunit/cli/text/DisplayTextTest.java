package org.rankunit.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("unit")
class DisplayTextTest {

    private static final Instant NOW = Instant.parse("2026-11-21T14:05:00Z");
    private static final DisplayText WORDS = new DisplayText(NOW, ZoneOffset.UTC);

    @Test
    void aTimeOfAnotherDayHasItsDate() {
        assertThat(WORDS.clock(NOW)).isEqualTo("14:05:00");
        assertThat(WORDS.clock(NOW.minusSeconds(86_400))).isEqualTo("2026-11-20 14:05");
    }

    @Test
    void timesAreThoseOfTheReadersZone() {
        assertThat(new DisplayText(NOW, ZoneId.of("Asia/Kathmandu")).clock(NOW)).isEqualTo("19:50:00");
    }

    @ParameterizedTest
    @CsvSource({"-5, 0 s", "0, 0 s", "59, 59 s", "60, 1 min 0 s", "3599, 59 min 59 s", "7860, 2 h 11 min"})
    void aWaitIsSaidInTwoUnitsAtMost(long seconds, String text) {
        assertThat(WORDS.ago(NOW.minusSeconds(seconds))).isEqualTo(text);
    }
}
