package org.rankunit.engine.config;

import java.time.Duration;
import java.util.Map;

/** Parses numbers with units: {@code 200MiB}, {@code 90s}. */
final class Quantity {

    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    /** More than any machine has; offsets and sums of sizes stay far below what a long counts. */
    private static final long MAX_BYTES = 1L << 50;

    /** No clock, counter or sum of times overflows with it, in milliseconds as an int or in nanoseconds as a long. */
    private static final Duration LONGEST = Duration.ofDays(20);

    private static final String A_SIZE = "a size such as 4096B, 512KiB, 200MiB or 1GiB, more than zero";
    private static final String A_TIME = "a time such as 500ms, 90s, 5m or 1h, more than zero";

    private Quantity() {}

    static long bytes(ConfigKey key, String value) {
        return read(key, value, BYTES, MAX_BYTES, A_SIZE, A_SIZE + " and at most " + (MAX_BYTES >> 30) + "GiB");
    }

    /** @param range what is accepted, for the message: {@code "a size from 64KiB to 2GiB"} */
    static long bytes(ConfigKey key, String value, long least, long most, String range) {
        long bytes = read(key, value, BYTES, most, A_SIZE, range);
        if (bytes < least) {
            throw ConfigurationException.of(key, value, "give " + range + ".");
        }
        return bytes;
    }

    static Duration duration(ConfigKey key, String value) {
        String range = A_TIME + " and at most " + LONGEST.toHours() + "h";
        return Duration.ofMillis(read(key, value, MILLIS, LONGEST.toMillis(), A_TIME, range));
    }

    /**
     * @param accepted what is told of a value that is no quantity
     * @param range what is told of a quantity that is too large
     */
    private static long read(
            ConfigKey key, String value, Map<String, Long> units, long most, String accepted, String range) {
        int digits = 0;
        while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
            digits++;
        }
        Long unit = units.get(value.substring(digits).strip());
        if (digits == 0 || unit == null) {
            throw ConfigurationException.of(key, value, "give " + accepted + ".");
        }
        long number = Long.MAX_VALUE;
        try {
            number = Long.parseLong(value, 0, digits, 10);
        } catch (NumberFormatException ignored) {
            // More than a long counts; reported below.
        }
        if (number == 0) {
            throw ConfigurationException.of(key, value, "give " + accepted + ".");
        }
        // Divided, since a product could overflow.
        if (number > most / unit) {
            throw ConfigurationException.of(key, value, "give " + range + ".");
        }
        return number * unit;
    }
}
