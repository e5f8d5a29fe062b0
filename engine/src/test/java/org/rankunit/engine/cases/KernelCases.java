package org.rankunit.engine.cases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.rankunit.Buffer;
import org.rankunit.DType;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.device.Cores;
import org.rankunit.device.Stream;

/** Tests whose kernels are compiled from source. */
public final class KernelCases {

    private KernelCases() {}

    @DeviceCount(2)
    @Platforms("a2a3sim")
    @TestMethodOrder(MethodOrderer.MethodName.class)
    public static class FromSource {

        @Test
        @Buffer(name = "x", type = DType.INT32, count = 4, placement = Placement.DEVICE)
        void aKernelOfVectorCores(RankContext rank) {
            rank.kernel("fill").launch(rank.buffer("x").address(), 4, 7L + rank.rank());
            assertThat(rank.buffer("x").readInts()).containsOnly(7 + rank.rank());
        }

        @Test
        void bKernelThatDoesNotCompile(RankContext rank) {
            rank.kernel("broken").launch();
        }

        @Test
        void cKernelThatIsNowhere(RankContext rank) {
            rank.kernel("nowhere_at_all").launch();
        }

        @Test
        void dNoKernel(RankContext rank) {
            rank.barrier();
        }
    }

    @DeviceCount(1)
    @Platforms("a2a3sim")
    public static class OnCores {

        @Test
        void aKernelRunsOnTheCoresThatItIsCompiledFor(RankContext rank) {
            try (Stream stream = rank.device().createStream()) {
                assertThatThrownBy(() -> stream.launch(rank.kernel("cube"), 1, Cores.VECTOR))
                        .hasMessageContaining(
                                "kernel \"cube\" is compiled for cube cores (aic) and does not run on vector cores");
                assertThatThrownBy(() -> stream.launch(rank.kernel("fill"), 1, Cores.CUBE))
                        .hasMessageContaining(
                                "kernel \"fill\" is compiled for vector cores (aiv) and does not run on cube cores");
                stream.launch(rank.kernel("cube"), 1, Cores.CUBE);
                stream.launch(rank.kernel("cube"), 2, Cores.MIXED);
                stream.synchronize();
            }
        }
    }
}
