package org.rankunit.engine.site;

import java.util.Map;
import java.util.Optional;
import org.rankunit.engine.config.Platform;

/**
 * The devices that a run may use.
 *
 * @param counts number of devices of each platform
 * @param slice the setting that restricts them, such as {@code rankunit.devices = "4-7"}; empty if none does
 * @param notes for a platform without devices, an explanation, if there is one
 * @param limits why a group can never have its devices, although there are enough
 * @param memory bytes that all simulated devices of this machine have together: its memory and swap, or its container's
 */
public record DevicesHere(
        Map<Platform, Integer> counts,
        Optional<String> slice,
        Map<Platform, String> notes,
        Limits limits,
        long memory) {

    /** What keeps a group from ever having its devices at once, although there are enough. */
    public interface Limits {

        /** Say why; empty if nothing does. */
        Optional<String> whyNever(GroupKind kind);
    }

    /** These numbers of devices of each platform, without any restriction. */
    public static DevicesHere of(Map<Platform, Integer> counts) {
        return new DevicesHere(counts, Optional.empty(), Map.of(), kind -> Optional.empty(), Long.MAX_VALUE);
    }

    /** How many there are of a platform. */
    public int count(Platform platform) {
        return counts.getOrDefault(platform, 0);
    }

    /** Whether a group of a kind can have its devices. */
    public boolean fits(GroupKind kind) {
        return count(kind.platform()) >= kind.ranks() && limits.whyNever(kind).isEmpty();
    }
}
