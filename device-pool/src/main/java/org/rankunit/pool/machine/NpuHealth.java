package org.rankunit.pool.machine;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Say how a device is, as {@code npu-smi} grades it.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum NpuHealth {
    OK,
    WARNING,
    ALARM,
    CRITICAL,
    /** Not told, or told in a word that is none of the others. */
    UNKNOWN;

    static NpuHealth of(String text) {
        String word = text.strip().toUpperCase(Locale.ROOT);
        for (NpuHealth health : values()) {
            if (health.name().equals(word)) {
                return health;
            }
        }
        return UNKNOWN;
    }

    /** Whether a device in this health is used without being asked for by its id. */
    boolean fit() {
        return this != ALARM && this != CRITICAL;
    }
}
