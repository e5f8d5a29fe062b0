package org.rankunit.golden.model;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.GoldenModel;

/**
 * Compute what each rank of a test gets, and what it must produce.
 *
 * <pre>{@code
 * public final class AllReduceModel implements RankModel {
 *
 *     @Override
 *     public void compute(ModelRank rank, ModelData data) {
 *         float[] sum = new float[rank.count("output")];
 *         for (int r = 0; r < rank.worldSize(); r++) {
 *             float[] input = inputOf(r, sum.length);
 *             for (int i = 0; i < sum.length; i++) {
 *                 sum[i] += input[i];
 *             }
 *         }
 *         data.input("input", inputOf(rank.rank(), sum.length));
 *         data.output("output", sum);
 *     }
 *
 *     @Override
 *     public Golden check(String output, Golden golden) {
 *         return golden.within(1e-5, 1e-5);
 *     }
 * }
 * }</pre>
 *
 * <p>A model is a function of its {@link ModelRank} and of nothing else. It uses no clock, no system property, no file that is not on the class path, and
 * no random number without a fixed seed: its results are kept and used again in later runs. RankUnit calls it twice and compares the results.
 *
 * <p>Instances are created by a constructor without arguments, whatever its visibility. {@link #compute} runs in a JVM of its own, neither
 * that of the build nor a rank, on a thread of its own, and for one rank after the other; {@link #check} runs on the ranks.
 *
 * @see GoldenModel
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface RankModel extends OutputCheck {

    /**
     * Give the inputs and the expected outputs of one rank.
     *
     * @param rank the rank, and what is known about its test
     * @param data takes the inputs and outputs, by the names of buffers
     * @throws Exception fails the test before it starts, with the exception's text
     */
    void compute(ModelRank rank, ModelData data) throws Exception;
}
