package org.rankunit.engine.plan;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.rankunit.engine.config.Platform;

/**
 * The devices that a run may use.
 *
 * @param counts number of devices of each platform
 * @param slice the setting that restricts them, such as {@code rankunit.devices = "4-7"}; empty if none does
 * @param notes for a platform without devices, an explanation, if there is one
 * @param whyNever why so many devices can never be leased at once, although there are enough; empty if they can
 * @param memory bytes that all simulated devices of this machine have together: its memory and swap, or its container's
 */
public record DevicesHere(
        Map<Platform, Integer> counts,
        Optional<String> slice,
        Map<Platform, String> notes,
        BiFunction<Platform, Integer, Optional<String>> whyNever,
        long memory) {

    /** These numbers of devices of each platform, without any restriction. */
    public static DevicesHere of(Map<Platform, Integer> counts) {
        return new DevicesHere(
                counts, Optional.empty(), Map.of(), (platform, ranks) -> Optional.empty(), Long.MAX_VALUE);
    }

    int count(Platform platform) {
        return counts.getOrDefault(platform, 0);
    }

    boolean fits(Platform platform, int ranks) {
        return count(platform) >= ranks && whyNever.apply(platform, ranks).isEmpty();
    }
}
