package org.rankunit.engine.site;

import java.time.Duration;
import java.util.Optional;
import org.rankunit.engine.config.Platform;

/**
 * What a group asks for when it reserves devices.
 *
 * @param user for whom it asks, as others see it who wait for the same devices: the name of a test class
 * @param expected how long the group will be at work, rather too long than too short; empty if unknown
 */
public record GroupRequest(GroupKind kind, String user, Optional<Duration> expected) {

    public Platform platform() {
        return kind.platform();
    }

    public int ranks() {
        return kind.ranks();
    }
}
