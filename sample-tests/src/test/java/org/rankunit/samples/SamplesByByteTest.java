package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Not a sample: runs the samples with kernels that tell each access, in which the simulator must find nothing. */
@Tag("ranks")
class SamplesByByteTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            classes = {
                TreduceTest.class,
                TreduceOnRuntimesTest.class,
                TwoCardAllReduceTest.class,
                TensorParallelFloat32Test.class,
                TensorParallelFloat16Test.class
            })
    void passes(Class<?> sample) {
        SampleRun run = SampleRun.of(sample, folder, Map.of("rankunit.sim.check", "bytes"));

        assertThat(run.failures).isEmpty();
        assertThat(run.passed).isNotEmpty();
    }
}
