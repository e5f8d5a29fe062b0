package org.rankunit.engine.config;

/** For which tests a timeline is written. */
public enum TimelineMode {

    /** For none, and nothing is recorded. */
    OFF,

    /** For those that failed; everything is recorded. */
    FAILED,

    /** For all. */
    ON;

    /** What is written of the arguments of tasks beside a timeline. */
    public enum Arguments {

        /** How each is used, and of how many bytes it is. */
        NONE,

        /** Also its value: a scalar, or an address and whose memory that is. */
        VALUES,

        /** Also the bytes at the address: what a task has read, and what it has written. */
        MEMORY;

        static Arguments read(ConfigKey key, String value) {
            return key.oneOf(values(), value);
        }
    }

    static TimelineMode read(ConfigKey key, String value) {
        return key.oneOf(values(), value);
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
