package org.rankunit.benchmarks.overhead;

import static org.rankunit.DType.FLOAT32;

import org.junit.jupiter.api.RepeatedTest;
import org.rankunit.Buffer;
import org.rankunit.DeviceCount;
import org.rankunit.Placement;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/** Tests of the usual kind: buffers, barriers and a golden check. */
@DeviceCount({2, 4, 8})
@Buffer(name = "input", type = FLOAT32, count = 256, placement = Placement.WINDOW)
@Buffer(name = "output", type = FLOAT32, count = 256)
class ReduceCase {

    @RepeatedTest(20)
    void checksWhatItWrote(RankContext rank) {
        float[] values = new float[256];
        for (int i = 0; i < values.length; i++) {
            values[i] = i + 100f * rank.rank();
        }
        rank.buffer("input").write(values);
        rank.barrier();
        rank.buffer("output").write(rank.buffer("input").read());
        rank.barrier();
        Golden.of("output", values).within(1e-5, 1e-5).verify(rank.buffer("output"));
    }
}
