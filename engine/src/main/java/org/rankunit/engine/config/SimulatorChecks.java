package org.rankunit.engine.config;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a simulator checks in each test, beyond what a device would. */
public enum SimulatorChecks {

    /** Nothing. */
    OFF,

    /** The order of accesses to ranges of bytes, as copies and the arguments of tasks declare them, and of signals. */
    RANGES;

    static SimulatorChecks read(ConfigKey key, String value) {
        return Arrays.stream(values())
                .filter(checks -> checks.word().equals(value))
                .findFirst()
                .orElseThrow(() -> ConfigurationException.of(
                        key,
                        value,
                        "give one of "
                                + Arrays.stream(values())
                                        .map(SimulatorChecks::word)
                                        .collect(Collectors.joining(", ")) + "."));
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
