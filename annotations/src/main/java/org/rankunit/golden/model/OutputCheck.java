package org.rankunit.golden.model;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.GoldenFiles;
import org.rankunit.GoldenModel;
import org.rankunit.golden.Golden;

/**
 * Say how strictly outputs are compared with what a {@link GoldenModel} or {@link GoldenFiles} gives.
 *
 * <pre>{@code
 * public final class WithinOnePercent implements OutputCheck {
 *     @Override
 *     public Golden check(String output, Golden golden) {
 *         return output.equals("sum") ? golden.within(1e-2, 0) : golden.exactBits();
 *     }
 * }
 * }</pre>
 *
 * <p>An instance is created on each rank for each test, by a constructor without arguments, whatever its visibility.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface OutputCheck {

    /**
     * Choose the check of an output. Called on each rank after the test method; not for an output that must stay
     * {@linkplain ModelData#unwritten unwritten}.
     *
     * @param output the name of the buffer
     * @param golden expects the rank's values, with the default tolerance of their type
     * @return what the output is compared with; by default {@code golden} itself
     */
    default Golden check(String output, Golden golden) {
        return golden;
    }
}
