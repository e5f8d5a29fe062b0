package org.rankunit.samples;

import java.util.Arrays;
import org.rankunit.RankContext;
import org.rankunit.golden.Golden;

/**
 * Inputs and expected outputs of TREDUCE, in whatever way it runs.
 *
 * <p>Rank r's input is {@code i + 100 r} at index i, so the root's output is {@code n i + 100 n (n - 1) / 2} for n ranks.
 */
final class TreduceData {

    /** Number of elements of both buffers, as in {@code treduce.h}. */
    static final int COUNT = 256;

    /** What the output holds before. */
    private static final float UNTOUCHED = -1;

    private TreduceData() {}

    /** Fills the buffers of this rank, and waits until all ranks have done so. */
    static void prepare(RankContext rank) {
        rank.buffer("input").write(inputOf(rank.rank()));
        rank.buffer("output").write(untouched());
        rank.barrier();
    }

    /** The root has the sum; the output of every other rank is untouched. */
    static void verify(RankContext rank, int root) {
        float[] expected = rank.rank() == root ? sumOfAllInputs(rank.worldSize()) : untouched();
        Golden.of("output", expected).within(1e-5, 1e-5).verify(rank.buffer("output"));
    }

    static float[] untouched() {
        float[] values = new float[COUNT];
        Arrays.fill(values, UNTOUCHED);
        return values;
    }

    static float[] inputOf(int rank) {
        float[] input = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            input[i] = i + 100f * rank;
        }
        return input;
    }

    static float[] sumOfAllInputs(int n) {
        float[] sum = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            sum[i] = (float) n * i + 100f * n * (n - 1) / 2;
        }
        return sum;
    }
}
