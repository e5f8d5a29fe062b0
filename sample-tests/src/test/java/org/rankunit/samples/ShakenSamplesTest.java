package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.rankunit.shake.ShakeSchedule;

/**
 * Not a sample: runs the samples with shaken schedules, and demands that they pass and that the checks of the simulator find
 * nothing. By default with 10 seeds; {@code -Dshaken.seeds=1000} runs more of them.
 */
class ShakenSamplesTest {

    private static final int SEEDS_OF_A_RUN = 10;

    private static final int SEEDS = Integer.getInteger("shaken.seeds", SEEDS_OF_A_RUN);

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class Ring extends TokenRingTest {}

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class Treduce extends TreduceOnRuntimesTest {}

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class TensorParallel extends TensorParallelFloat32Test {}

    /** How the tests of a run have ended. */
    private static final class Outcome implements TestExecutionListener {

        final List<String> failures = new ArrayList<>();
        int shaken;

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            result.getThrowable().ifPresent(thrown -> failures.add(test.getDisplayName() + ": " + thrown));
            shaken += test.getDisplayName().contains("seed ") ? 1 : 0;
        }
    }

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(classes = {Ring.class, Treduce.class, TensorParallel.class})
    void passesWithEverySeed(Class<?> sample) {
        int passed = 0;
        for (int first = 1; first <= SEEDS; first += SEEDS_OF_A_RUN) {
            Outcome outcome = run(sample, first);
            assertThat(outcome.failures).as("seeds from %s", first).isEmpty();
            assertThat(outcome.shaken).as("seeds from %s", first).isGreaterThanOrEqualTo(SEEDS_OF_A_RUN);
            passed += outcome.shaken;
        }
        System.out.printf("%s: %d runs with %d seeds passed%n", sample.getSimpleName(), passed, SEEDS);
    }

    private Outcome run(Class<?> sample, int firstSeed) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(sample))
                .configurationParameter("rankunit.sim.shake", "from:" + firstSeed)
                .configurationParameter("rankunit.platform", "a2a3sim")
                .configurationParameter("rankunit.ranks", "2")
                .configurationParameter("rankunit.durations", "none")
                .configurationParameter(
                        "rankunit.pool-dir", folder.resolve("pool").toString())
                .configurationParameter(
                        "rankunit.output-dir", folder.resolve("out").toString())
                .build();
        Outcome outcome = new Outcome();
        LauncherFactory.create().execute(request, outcome);
        return outcome;
    }
}
