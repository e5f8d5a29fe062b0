package org.rankunit.benchmarks.scale;

import java.util.Locale;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Discovers 2,000 tests once and prints the seconds it took. */
final class Discovery {

    private static final int TESTS = 2_000;

    private Discovery() {}

    /** Argument: {@code with} this engine, or {@code without} it. */
    public static void main(String[] args) throws ClassNotFoundException {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(ScaleSuite.classes().stream()
                        .map(type -> DiscoverySelectors.selectClass(type))
                        .toList());
        if (args[0].equals("without")) {
            request.filters(EngineFilter.excludeEngines("rankunit"));
        }
        long begin = System.nanoTime();
        TestPlan plan = LauncherFactory.create().discover(request.build());
        double seconds = (System.nanoTime() - begin) / 1e9;
        long tests = plan.countTestIdentifiers(test -> test.isTest());
        if (tests != TESTS) {
            throw new IllegalStateException("found " + tests + " tests");
        }
        System.out.println(String.format(Locale.ROOT, "%.6f", seconds));
    }
}
