package org.rankunit.golden.model;

import static org.apiguardian.api.API.Status.EXPERIMENTAL;

import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.rankunit.DType;
import org.rankunit.GoldenModel;

/**
 * One rank of a test, as a {@link RankModel} knows it before the body of the test runs.
 *
 * @since 0.1
 */
@API(status = EXPERIMENTAL, since = "0.1")
public interface ModelRank {

    /** Get the number of this rank, in [0, {@link #worldSize()}). */
    int rank();

    /** Get the number of ranks (the world size). */
    int worldSize();

    /** Get the platform that the test will run on, for example {@code a2a3sim}. */
    String platform();

    /** Get the runtime that the test will run with, one of {@link org.rankunit.DeviceRuntime}; empty if it names none. */
    String runtime();

    /**
     * Get the arguments of this invocation of a parameterized test, in the order of the method's parameters and without its
     * {@link org.rankunit.RankContext}.
     *
     * @throws IllegalStateException unless the model is computed {@link GoldenModel#perInvocation() per invocation}
     */
    List<@Nullable Object> arguments();

    /** Find a parameter of this run: the value of {@code rankunit.param.<name>}; empty if it is not set. */
    Optional<String> parameter(String name);

    /**
     * Get a parameter of this run as a whole number, or {@code defaultValue} if it is not set.
     *
     * @throws IllegalArgumentException if it is not a whole number; the message names the key and its value
     */
    int intParameter(String name, int defaultValue);

    /**
     * Get the number of elements of a buffer.
     *
     * @throws IllegalArgumentException if the test declares no such buffer; the message lists those that it declares
     */
    int count(String buffer);

    /** Get the extents of a buffer, the outermost first; the count alone if it has no shape. Errors as with {@link #count}. */
    int[] shape(String buffer);

    /** Get the type of a buffer's elements; errors as with {@link #count}. */
    DType type(String buffer);
}
