package org.rankunit.samples;

import static org.rankunit.DType.FLOAT32;
import static org.rankunit.Placement.WINDOW;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.KernelArguments;
import org.rankunit.Platforms;
import org.rankunit.RankContext;
import org.rankunit.Window;
import org.rankunit.golden.Golden;
import org.rankunit.graph.TaskArgument;

/**
 * All-reduce on two cards: each rank reads the input of both through the windows and adds them up, so that both have the
 * sum.
 */
@Tag("downstream")
@DeviceCount(2)
@Platforms({"a2a3sim", "a5sim", "a2a3", "a5"})
@Window(syncPrefix = 256)
@Buffer(name = "input", type = FLOAT32, count = TwoCardAllReduceTest.COUNT, placement = WINDOW)
@Buffer(name = "output", type = FLOAT32, count = TwoCardAllReduceTest.COUNT, placement = WINDOW)
@KernelArguments(
        value = {"input", "output", "nranks", "deviceCtx"},
        inputs = "input",
        outputs = "output")
class TwoCardAllReduceTest {

    /** Number of elements of both buffers, as in the kernel. */
    static final int COUNT = 256;

    @Test
    void bothCardsHaveTheSumOfBothInputs(RankContext rank) {
        float[] input = new float[COUNT];
        float[] sum = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            input[i] = i + 100f * rank.rank();
            sum[i] = 2f * i + 100f;
        }
        rank.buffer("input").write(input);
        rank.barrier();

        rank.kernel("allreduce").launch(TaskArgument.words(rank.arguments()));
        rank.device().synchronize();
        rank.barrier();

        Golden.of("output", sum).within(1e-5, 1e-5).verify(rank.buffer("output"));
    }
}
