package org.rankunit.samples;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.DEVICE;
import static org.rankunit.Placement.WINDOW;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
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
 * <p>Another number of ranks and another root than 0 can be given on the command line:
 *
 * <pre>{@code mvn test -Dtest=TreduceTest -Drankunit.world-size=3 -Drankunit.param.root=2}</pre>
 */
@Tag("downstream")
@DeviceCount(
        value = {2, 4, 8},
        adjustable = true)
@Platforms({"a2a3sim", "a5sim", "a2a3", "a5"})
@Window(syncPrefix = 256)
@Buffer(name = "input", type = FLOAT32, count = TreduceData.COUNT, placement = WINDOW)
@Buffer(name = "output", type = FLOAT32, count = TreduceData.COUNT, placement = DEVICE)
class TreduceTest {

    @BeforeEach
    void everyRankBringsItsInput(RankContext rank) {
        TreduceData.prepare(rank);
    }

    @Test
    void sumsTheInputsOfAllRanksOnTheRoot(RankContext rank) {
        int root = rank.intParameter("root", 0);

        launch(rank, rank.worldSize(), root);
        rank.barrier();

        TreduceData.verify(rank, root);
    }

    @Test
    void anyRankCanBeTheRoot(RankContext rank) {
        int root = rank.worldSize() - 1;

        launch(rank, rank.worldSize(), root);
        rank.barrier();

        TreduceData.verify(rank, root);
    }

    @Test
    void aRootOutsideTheRanksIsRefusedBeforeAnyKernelRuns(RankContext rank) {
        int n = rank.worldSize();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> launch(rank, n, n))
                .withMessage("root = " + n + " is not in [0, " + n + ")");
        Golden.of("output", TreduceData.untouched()).verify(rank.buffer("output"));
    }

    @Test
    void aNumberOfRanksThatIsNotTheCommunicatorsIsRefusedBeforeAnyKernelRuns(RankContext rank) {
        int n = rank.worldSize();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> launch(rank, n + 1, 0))
                .withMessage("nranks = " + (n + 1) + ", but the communicator has " + n);
        Golden.of("output", TreduceData.untouched()).verify(rank.buffer("output"));
    }

    /** On hardware a kernel that is called wrongly would take its device down, so the host looks first. */
    private static void launch(RankContext rank, int nranks, int root) {
        if (nranks != rank.worldSize()) {
            throw new IllegalArgumentException("nranks = " + nranks + ", but the communicator has " + rank.worldSize());
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
}
