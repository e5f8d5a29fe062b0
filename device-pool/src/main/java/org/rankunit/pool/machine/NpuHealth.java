package org.rankunit.pool.machine;

import java.util.Locale;
import org.apiguardian.api.API;

/**
 * Grade the health of a device, as {@code npu-smi} reports it.
 *
 * @since 0.1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum NpuHealth {
    OK,
    WARNING,
    ALARM,
    CRITICAL,
    /** Not reported, or reported in a word that is not one of the others. */
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

    /** Whether a device in this health is used without being named explicitly by its id. */
    boolean fit() {
        return this != ALARM && this != CRITICAL;
    }
}
