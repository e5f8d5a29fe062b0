package org.rankunit.engine.config;

/** What a simulator checks in each test, beyond what a device would. */
public enum SimulatorChecks {

    /** Nothing. */
    OFF,

    /** The order of accesses to ranges of bytes, as copies and the arguments of tasks declare them, and of signals. */
    RANGES;

    static SimulatorChecks read(ConfigKey key, String value) {
        return key.oneOf(values(), value);
    }
}
