package org.rankunit.golden.model;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import org.apiguardian.api.API;
import org.rankunit.DType;
import org.rankunit.Values;

/**
 * Take the inputs and the expected outputs of one rank from a {@link RankModel}.
 *
 * <p>Each buffer is given at most once as an input and at most once as an output. Inputs go into buffers with the role INPUT, INOUT or
 * PLAIN. Outputs are expected of buffers with the role OUTPUT, INOUT or PLAIN. An OUTPUT that is not declared with
 * {@code unverified = true} needs one on each rank. What is not given as an input stays zero.
 *
 * <p>All methods throw {@link IllegalArgumentException} if the test declares no such buffer, if the buffer's role does not allow it, if it
 * was given before, or if the type or the number of the values is not the buffer's. Such a mistake fails the test before it starts.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface ModelData {

    /** Load these values into a buffer before the test. */
    void input(String buffer, Values values);

    /** Expect these values in a buffer after the test. */
    void output(String buffer, Values values);

    /**
     * Expect that this rank writes nothing into a buffer with the role OUTPUT: after the test it holds exactly the pattern it was filled with.
     */
    void unwritten(String buffer);

    /** Get the type of a buffer's elements. */
    DType type(String buffer);

    /** Load these values, each rounded to the type of the buffer, which is {@code FLOAT16}, {@code BFLOAT16} or {@code FLOAT32}. */
    default void input(String buffer, float... values) {
        input(buffer, ModelValues.of(type(buffer), values));
    }

    /** Expect these values, each rounded to the type of the buffer, which is {@code FLOAT16}, {@code BFLOAT16} or {@code FLOAT32}. */
    default void output(String buffer, float... values) {
        output(buffer, ModelValues.of(type(buffer), values));
    }

    /** Load these values into a buffer of {@code FLOAT64}. */
    default void input(String buffer, double... values) {
        input(buffer, Values.float64(values));
    }

    /** Expect these values in a buffer of {@code FLOAT64}. */
    default void output(String buffer, double... values) {
        output(buffer, Values.float64(values));
    }

    /** Load these values into a buffer of {@code INT32}, {@code UINT8} or {@code UINT16}. */
    default void input(String buffer, int... values) {
        input(buffer, ModelValues.of(type(buffer), values));
    }

    /** Expect these values in a buffer of {@code INT32}, {@code UINT8} or {@code UINT16}. */
    default void output(String buffer, int... values) {
        output(buffer, ModelValues.of(type(buffer), values));
    }
}
