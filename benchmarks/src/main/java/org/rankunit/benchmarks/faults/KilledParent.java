package org.rankunit.benchmarks.faults;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.stream.Collectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A process that runs an endless test, and prints the numbers of its ranks' processes once they run it. */
final class KilledParent implements TestExecutionListener {

    private KilledParent() {}

    /** Arguments: folder for the output. */
    public static void main(String[] args) throws ClassNotFoundException {
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(Class.forName("org.rankunit.benchmarks.EndlessCase")))
                                .configurationParameter("rankunit.output-dir", args[0])
                                .configurationParameter("rankunit.platform", "a2a3sim")
                                .build(),
                        new KilledParent());
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            System.out.println(FaultRun.ranks().stream()
                    .map(rank -> Long.toString(rank.pid()))
                    .collect(Collectors.joining(" ")));
        }
    }
}
