package org.rankunit.samples;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A run of a sample on two simulated devices, within a test of another kind. */
final class SampleRun implements TestExecutionListener {

    /** The number of ranks of each run. */
    static final int RANKS = 2;

    /** The display names of the tests that passed. */
    final List<String> passed = new ArrayList<>();

    /** The messages of all failures. */
    final List<String> failures = new ArrayList<>();

    private SampleRun() {}

    /**
     * Run a sample to its end.
     *
     * @param folder for its pool and its reports
     * @param parameters what differs from the run of others
     */
    static SampleRun of(Class<?> sample, Path folder, Map<String, String> parameters) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(sample))
                .configurationParameter("rankunit.platform", "a2a3sim")
                .configurationParameter("rankunit.only-world-sizes", String.valueOf(RANKS))
                .configurationParameter("rankunit.durations", "none")
                .configurationParameter(
                        "rankunit.pool-dir", folder.resolve("pool").toString())
                .configurationParameter(
                        "rankunit.output-dir", folder.resolve("out").toString())
                .configurationParameters(parameters)
                .build();
        SampleRun run = new SampleRun();
        LauncherFactory.create().execute(request, run);
        return run;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (result.getThrowable().isPresent()) {
            failures.add(String.valueOf(result.getThrowable().get().getMessage()));
        } else if (test.isTest()) {
            passed.add(test.getDisplayName());
        }
    }
}
