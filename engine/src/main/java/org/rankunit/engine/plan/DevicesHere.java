package org.rankunit.engine.plan;

import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.rankunit.engine.config.Platform;

/**
 * What devices a run may use.
 *
 * @param counts how many of each platform
 * @param slice what restricts them, such as {@code rankunit.devices = "4-7"}; empty if nothing does
 * @param notes why there are none of a platform, where more is to be said than that
 * @param whyNever why so many can never be had at once, though there are enough; empty if they can
 * @param memory bytes that all simulated devices of this machine have together: its memory and swap, or its container's
 */
public record DevicesHere(
        Map<Platform, Integer> counts,
        Optional<String> slice,
        Map<Platform, String> notes,
        BiFunction<Platform, Integer, Optional<String>> whyNever,
        long memory) {

    /** So many devices of each platform, all alike. */
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
