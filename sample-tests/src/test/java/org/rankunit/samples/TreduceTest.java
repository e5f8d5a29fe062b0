package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.DEVICE;
import static org.rankunit.Placement.WINDOW;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.golden.Golden;

/**
 * TREDUCE over 2, 4 and 8 ranks: the root reads the input of every rank through its window and adds them up.
 *
 * <p>Rank r's input is {@code i + 100 r} at index i, so the root's output is {@code n i + 100 n (n - 1) / 2} for n ranks.
 *
 * <p>Another number of ranks and another root than 0 can be given on the command line:
 *
 * <pre>{@code mvn test -Dtest=TreduceTest -Drankunit.nranks=3 -Drankunit.param.root=2}</pre>
 */
@DeviceCount(
        value = {2, 4, 8},
        adjustable = true)
@Platforms({"a2a3sim", "a5sim", "a2a3", "a5"})
@Window(syncPrefix = 256)
@Buffer(name = "input", type = FLOAT32, count = TreduceTest.COUNT, placement = WINDOW)
@Buffer(name = "output", type = FLOAT32, count = TreduceTest.COUNT, placement = DEVICE)
class TreduceTest {

    /** Number of elements of both buffers, as in the kernel. */
    static final int COUNT = 256;

    @BeforeEach
    void everyRankBringsItsInput(RankContext rank) {
        float[] input = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            input[i] = i + 100f * rank.rank();
        }
        rank.buffer("input").write(input);
        rank.barrier();
    }

    @Test
    void sumsTheInputsOfAllRanksOnTheRoot(RankContext rank) {
        int root = rank.intParameter("root", 0);

        launch(rank, rank.rankCount(), root);
        rank.barrier();

        verifyOutput(rank, root);
    }

    @Test
    void anyRankCanBeTheRoot(RankContext rank) {
        int root = rank.rankCount() - 1;

        launch(rank, rank.rankCount(), root);
        rank.barrier();

        verifyOutput(rank, root);
    }

    @Test
    void aRootOutsideTheRanksIsRefusedBeforeAnyKernelRuns(RankContext rank) {
        int n = rank.rankCount();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> launch(rank, n, n))
                .withMessage("root = " + n + " is not in [0, " + n + ")");
        Golden.of("output", new float[COUNT]).verify(rank.buffer("output"));
    }

    @Test
    void aNumberOfRanksThatIsNotTheCommunicatorsIsRefusedBeforeAnyKernelRuns(RankContext rank) {
        int n = rank.rankCount();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> launch(rank, n + 1, 0))
                .withMessage("nranks = " + (n + 1) + ", but the communicator has " + n);
        Golden.of("output", new float[COUNT]).verify(rank.buffer("output"));
    }

    /** On hardware a kernel that is called wrongly would take its device down, so the host looks first. */
    private static void launch(RankContext rank, int nranks, int root) {
        if (nranks != rank.rankCount()) {
            throw new IllegalArgumentException("nranks = " + nranks + ", but the communicator has " + rank.rankCount());
        }
        if (root < 0 || root >= nranks) {
            throw new IllegalArgumentException("root = " + root + " is not in [0, " + nranks + ")");
        }
        rank.kernel("treduce")
                .launch(
                        rank.buffer("input").address(),
                        rank.buffer("output").address(),
                        nranks,
                        root,
                        rank.communicator().deviceContext());
    }

    /** The root has the sum; the output of every other rank is untouched. */
    private static void verifyOutput(RankContext rank, int root) {
        float[] expected = rank.rank() == root ? sumOfAllInputs(rank.rankCount()) : new float[COUNT];
        Golden.of("output", expected).within(1e-5, 1e-5).verify(rank.buffer("output"));
    }

    private static float[] sumOfAllInputs(int n) {
        float[] sum = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            sum[i] = (float) n * i + 100f * n * (n - 1) / 2;
        }
        return sum;
    }
}
