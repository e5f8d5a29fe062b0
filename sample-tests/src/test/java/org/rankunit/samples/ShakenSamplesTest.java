package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rankunit.ShakeSchedule;

/**
 * Not a sample: runs the samples with shaken schedules, and demands that they pass and that the checks of the simulator find
 * nothing. By default with 10 seeds; {@code -Dshaken.seeds=1000} runs more of them.
 */
@Tag("ranks")
class ShakenSamplesTest {

    private static final int SEEDS_OF_A_RUN = 10;

    private static final int SEEDS = Integer.getInteger("shaken.seeds", SEEDS_OF_A_RUN);

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class Ring extends TokenRingTest {}

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class Treduce extends TreduceOnRuntimesTest {}

    @ShakeSchedule(seeds = SEEDS_OF_A_RUN)
    static class TensorParallel extends TensorParallelFloat32Test {}

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(classes = {Ring.class, Treduce.class, TensorParallel.class})
    void passesWithEverySeed(Class<?> sample) {
        int passed = 0;
        for (int first = 1; first <= SEEDS; first += SEEDS_OF_A_RUN) {
            SampleRun run = SampleRun.of(sample, folder, Map.of("rankunit.sim.shake", "from:" + first));
            long shaken =
                    run.passed.stream().filter(name -> name.contains("seed ")).count();
            assertThat(run.failures).as("seeds from %s", first).isEmpty();
            assertThat(shaken).as("seeds from %s", first).isGreaterThanOrEqualTo(SEEDS_OF_A_RUN);
            passed += (int) shaken;
        }
        System.out.printf("%s: %d runs with %d seeds passed%n", sample.getSimpleName(), passed, SEEDS);
    }
}
