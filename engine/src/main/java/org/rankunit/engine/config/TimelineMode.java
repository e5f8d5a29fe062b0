package org.rankunit.engine.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** For which tests a timeline is written. */
public enum TimelineMode {

    /** For none, and nothing is recorded. */
    OFF,

    /** For those that failed; everything is recorded. */
    FAILED,

    /** For all. */
    ON;

    static TimelineMode read(ConfigKey key, String value) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(value))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        key,
                        value,
                        "give one of "
                                + Arrays.stream(values())
                                        .map(TimelineMode::word)
                                        .collect(Collectors.joining(", ")) + "."));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether ranks on simulators record what happens. */
    public boolean records() {
        return this != OFF;
    }

    /** Whether the timeline of a test is written. */
    public boolean writes(boolean testFailed) {
        return this == ON || (this == FAILED && testFailed);
    }
}
