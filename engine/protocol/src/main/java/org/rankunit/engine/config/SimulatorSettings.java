package org.rankunit.engine.config;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What simulators do beyond what a device would.
 *
 * @param checks what they check in each test
 * @param unchecked what becomes of a test that cannot be checked
 * @param recordBytes the size of the record of each rank
 * @param leftOut a step of the tests that is left out on purpose, or empty
 * @param shake which seeds tests are shaken with, or empty for those that they declare
 */
public record SimulatorSettings(
        Checks checks, Unchecked unchecked, long recordBytes, Optional<Truncated> leftOut, Optional<Shake> shake) {

    private static final long LEAST_RECORD = 64L << 10;

    /** As much as a reader can map. */
    private static final long MAX_RECORD = 2L << 30;

    private static final Pattern LEFT_OUT = Pattern.compile(
            "(\\d{1,3}):((?:edge|task-wait|publish|event-wait|notify-post|notify-wait|signal|cell-wait|synchronize|tensor):[1-9]\\d{0,8})");

    private static final Pattern SHAKE = Pattern.compile("(random|pct|delay|from):(\\d{1,9})");

    /** What is checked in each test. */
    public enum Checks {

        /** Nothing. */
        OFF,

        /** The order of accesses to ranges of bytes, as copies and the arguments of tasks declare them, and of signals. */
        RANGES,

        /** The same, and each byte that kernels compiled from source access through pointers. */
        BYTES
    }

    /** What becomes of a test that passes and cannot be checked. */
    public enum Unchecked {

        /** It fails: it is unknown whether it is right. */
        FAIL,

        /** A line on the console says so. */
        WARN
    }

    /**
     * A step that one rank leaves out of each test.
     *
     * @param step its kind and its number, such as {@code edge:3}
     */
    public record Truncated(int rank, String step) {}

    /**
     * Which seeds tests are shaken with.
     *
     * @param strategy the strategy of the one seed for all tests, in lower case; or {@code from}: the tests that declare
     *     seeds begin with this one
     */
    public record Shake(String strategy, long seed) {

        /** Whether it is only where the tests that declare seeds begin. */
        public boolean isBase() {
            return strategy.equals("from");
        }
    }

    static SimulatorSettings read(Function<ConfigKey, String> value) {
        Checks checks = ConfigKey.SIM_CHECK.oneOf(Checks.values(), value.apply(ConfigKey.SIM_CHECK));
        return new SimulatorSettings(
                checks,
                ConfigKey.SIM_UNCHECKED.oneOf(Unchecked.values(), value.apply(ConfigKey.SIM_UNCHECKED)),
                recordBytes(value.apply(ConfigKey.SIM_RECORD_SIZE)),
                leftOut(value.apply(ConfigKey.SIM_MUTATE), checks),
                shake(value.apply(ConfigKey.SIM_SHAKE)));
    }

    private static long recordBytes(String value) {
        return Quantity.bytes(ConfigKey.SIM_RECORD_SIZE, value, LEAST_RECORD, MAX_RECORD, "a size from 64KiB to 2GiB");
    }

    private static Optional<Truncated> leftOut(String value, Checks checks) {
        if (value.equals(ConfigKey.SIM_MUTATE.defaultValue())) {
            return Optional.empty();
        }
        Matcher parts = LEFT_OUT.matcher(value);
        if (!parts.matches()) {
            throw ConfigurationException.of(
                    ConfigKey.SIM_MUTATE,
                    value,
                    "give a rank, a step and its number, as in 0:edge:3. Steps are edge, task-wait, publish, event-wait,"
                            + " notify-post, notify-wait, signal, cell-wait, synchronize and tensor.");
        }
        if (checks == Checks.OFF) {
            throw ConfigurationException.of(
                    ConfigKey.SIM_MUTATE,
                    value,
                    "nothing would notice, because " + ConfigKey.SIM_CHECK.key() + " is off.");
        }
        return Optional.of(new Truncated(Integer.parseInt(parts.group(1)), parts.group(2)));
    }

    static Optional<Shake> shake(String value) {
        if (value.equals(ConfigKey.SIM_SHAKE.defaultValue())) {
            return Optional.empty();
        }
        Matcher matcher = SHAKE.matcher(value);
        if (!matcher.matches()) {
            throw ConfigurationException.of(
                    ConfigKey.SIM_SHAKE,
                    value,
                    "give a strategy with a seed, such as random:7, pct:7 or delay:7; from:1001; or off.");
        }
        return Optional.of(new Shake(matcher.group(1), Long.parseLong(matcher.group(2))));
    }
}
