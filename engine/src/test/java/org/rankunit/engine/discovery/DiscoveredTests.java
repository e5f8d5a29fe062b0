package org.rankunit.engine.discovery;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;

/** Trees of device tests for the tests of the rooms further down. */
public final class DiscoveredTests {

    private DiscoveredTests() {}

    /** Discover the device tests of these classes below an engine's root. */
    public static void addTo(TestDescriptor engine, Class<?>... types) {
        addTo(
                engine,
                Arrays.stream(types)
                        .map(type -> (DiscoverySelector) selectClass(type))
                        .toArray(DiscoverySelector[]::new));
    }

    /** Discover the device tests that these select. */
    public static void addTo(TestDescriptor engine, DiscoverySelector... selectors) {
        DeviceTestDiscovery.discover(
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build(), engine);
    }
}
