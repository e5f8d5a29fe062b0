package org.rankunit.engine;

import static org.apiguardian.api.API.Status.INTERNAL;

import org.apiguardian.api.API;
import org.junit.platform.launcher.LauncherDiscoveryListener;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.rankunit.engine.discovery.Claims;

/** Clears the claims of one discovery before the next one, which may not include this engine. */
@API(status = INTERNAL, since = "0.1")
public final class ClaimReset implements LauncherDiscoveryListener {

    @Override
    public void launcherDiscoveryStarted(LauncherDiscoveryRequest request) {
        Claims.discoveryStarts();
    }

    @Override
    public void launcherDiscoveryFinished(LauncherDiscoveryRequest request) {
        Claims.discoveryEnds();
    }
}
