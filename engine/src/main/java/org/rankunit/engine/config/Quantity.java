package org.rankunit.engine.config;

import java.time.Duration;
import java.util.Map;

/** Parses numbers with units: {@code 200MiB}, {@code 90s}. */
final class Quantity {

    private static final Map<String, Long> BYTES = Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Map<String, Long> MILLIS = Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L);

    private Quantity() {}

    static long bytes(ConfigKey key, String value) {
        return read(key, value, BYTES, "a size such as 4096B, 512KiB, 200MiB or 1GiB");
    }

    static Duration duration(ConfigKey key, String value) {
        return Duration.ofMillis(read(key, value, MILLIS, "a time such as 500ms, 90s, 5m or 1h"));
    }

    private static long read(ConfigKey key, String value, Map<String, Long> units, String example) {
        int digits = 0;
        while (digits < value.length() && Character.isDigit(value.charAt(digits))) {
            digits++;
        }
        Long unit = units.get(value.substring(digits).strip());
        if (digits > 0 && unit != null) {
            try {
                long result = Math.multiplyExact(Long.parseLong(value, 0, digits, 10), unit);
                if (result > 0) {
                    return result;
                }
            } catch (ArithmeticException | NumberFormatException ignored) {
                // Too large; reported below.
            }
        }
        throw ConfigurationException.of(key, value, "give " + example + ", more than zero.");
    }
}
