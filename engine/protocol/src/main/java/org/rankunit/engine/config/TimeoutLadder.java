package org.rankunit.engine.config;

import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/**
 * The time-outs of a run, innermost first. An inner time-out has to end first, because it knows best what it waited
 * for.
 */
enum TimeoutLadder {
    DEVICE(ConfigKey.DEVICE_TIMEOUT, "a kernel", "the kernel"),
    COMMUNICATOR(ConfigKey.COMM_TIMEOUT, "a wait in the communicator", "the waits of the other ranks"),
    TEST(ConfigKey.TEST_TIMEOUT, "a test", "the test around it"),
    SESSION(ConfigKey.SESSION_TIMEOUT, "the run", "the whole run");

    private final ConfigKey key;
    private final String inner;
    private final String outer;

    TimeoutLadder(ConfigKey key, String inner, String outer) {
        this.key = key;
        this.inner = inner;
        this.outer = outer;
    }

    /**
     * Refuses a time-out that is set but can have no effect. A time-out that is not set may be longer than an enclosing
     * one, which then ends first.
     */
    static void check(Function<ConfigKey, Optional<String>> given) {
        for (TimeoutLadder rung : values()) {
            Optional<String> value = given.apply(rung.key);
            if (value.isPresent()) {
                Arrays.stream(values())
                        .filter(around -> around.compareTo(rung) > 0)
                        .forEach(around -> rung.refuseUnlessWithin(around, value.get(), given));
            }
        }
    }

    private void refuseUnlessWithin(TimeoutLadder around, String value, Function<ConfigKey, Optional<String>> given) {
        String limit = given.apply(around.key).orElse(around.key.defaultValue());
        if (around == SESSION && limit.equals(ConfigKey.SESSION_TIMEOUT.defaultValue())) {
            return;
        }
        Duration outside = Quantity.duration(around.key, limit);
        if (Quantity.duration(key, value).compareTo(outside) >= 0) {
            throw ConfigurationException.of(
                    key,
                    value,
                    inner + " must end before " + around.outer + ", and " + around.key.key() + " = \"" + limit
                            + "\". Set a shorter time, or remove the key.");
        }
    }
}
